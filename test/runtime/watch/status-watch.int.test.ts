import { Registry } from 'prom-client'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LedgerError } from '#src/domain/errors.ts'
import { adopt, markBuilt, planRebuild, promote, setPaused } from '#src/operations/decide.ts'
import { emptyPlan, type Plan } from '#src/operations/plan.ts'
import type { ReadStore } from '#src/ports/read-store.ts'
import { runProjections } from '#src/runtime/fold/projector.ts'
import { LogHeads } from '#src/runtime/watch/log-heads.ts'
import { createProjectionMetrics } from '#src/runtime/watch/metrics.ts'
import { ProjectionWatch, watchedInstances } from '#src/runtime/watch/status-watch.ts'
import { TestDeployment } from '#test/runtime/replay/deployment.ts'
import { balancesProjection, timesProjection } from '#test/support/sample-projections.ts'

const balances = balancesProjection()
const projections = [timesProjection(), timesProjection({ version: 2 }), balances]
const at = '2026-01-01T00:00:00.000Z'
const plain = (count: number): undefined[] => Array.from({ length: count }, () => undefined)

describe('ProjectionWatch', () => {
  let deployment: TestDeployment
  let nowMs = 0
  let plan: Plan
  let isLogAway = false
  let isStoreAway = false
  let registry: Registry
  beforeEach(() => {
    deployment = new TestDeployment()
    nowMs = 0
    isLogAway = isStoreAway = false
    plan = adopt(
      emptyPlan,
      [
        { name: 'times', version: 1 },
        { name: 'balances', version: 1 },
      ],
      at,
    )
    registry = new Registry()
  })
  afterEach(() => deployment.close())

  function given() {
    const { store } = deployment
    const now = () => nowMs
    const openLog = async (generation: number) => {
      const log = await deployment.openLog(generation)
      const head = async () => {
        if (isLogAway) throw new LedgerError('log_unavailable', 'The log is away')
        return log.head()
      }
      return { ...log, head }
    }
    const flaky: ReadStore = {
      openWriter: (schema) => store.openWriter(schema),
      remove: (schema) => store.remove(schema),
      close: () => store.close(),
      openReader: async (schema) => {
        const reader = await store.openReader(schema)
        const checkpoint = async () => {
          if (isStoreAway) throw new LedgerError('store_unavailable', 'The store is away')
          return reader.checkpoint()
        }
        return { checkpoint, parkedCount: () => reader.parkedCount(), close: () => reader.close() } as typeof reader
      },
    }
    const heads = new LogHeads({ openLog, now })
    const metrics = createProjectionMetrics(registry, { headAgeSeconds: () => watch.headAgeSeconds })
    const watch: ProjectionWatch = new ProjectionWatch({
      heads,
      store: flaky,
      instances: () => watchedInstances(plan, projections),
      metrics,
      now,
    })
    const measure = async () =>
      (await watch.measure()).map(({ name, id, position, head, stalledSeconds, state }) => ({
        is: `${name} ${id} ${state}`,
        position,
        head,
        stalledSeconds,
      }))
    return { watch, measure }
  }
  const build = (names: readonly string[], generation = 1) =>
    runProjections({
      log: deployment.log(generation),
      store: deployment.store,
      projections: projections.filter(({ schema }) => names.includes(`${schema.name}@${schema.version}`)),
      follow: false,
    })
  const seriesOf = async (name: string) => (await registry.getSingleMetric(name)?.get())?.values ?? []

  it('measures every instance of the plan against the log of its generation', async () => {
    const { measure } = given()
    await deployment.publish(plain(5))
    await build(['times@1'])
    await deployment.publish(plain(2))
    plan = planRebuild(
      plan,
      projections.map(({ schema }) => schema),
      { name: 'times', version: 2 },
      at,
    ).plan
    plan = setPaused(plan, 'balances', undefined, true)
    expect(await measure()).toEqual([
      { is: 'times 1 following', position: 5, head: 7, stalledSeconds: 0 },
      { is: 'times 2 rebuilding', position: 0, head: 7, stalledSeconds: 0 },
      { is: 'balances 1 paused', position: 0, head: 7, stalledSeconds: 0 },
    ])
    expect(await seriesOf('ledger_projection_rebuild_ratio')).toMatchObject([{ value: 0 }])
  })

  it('tells behind and not moving from behind, paused, and at the head', async () => {
    const { measure } = given()
    await deployment.publish(plain(5))
    await build(['times@1', 'balances@1'])
    plan = setPaused(plan, 'balances', undefined, true)
    const stalled = async () => (await measure()).map(({ stalledSeconds }) => stalledSeconds)
    expect(await stalled()).toEqual([0, 0])
    nowMs = 90_000
    expect(await stalled()).toEqual([0, 0])
    await deployment.publish(plain(2))
    expect(await stalled()).toEqual([0, 0])
    nowMs = 160_000
    expect(await stalled()).toEqual([70, 0])
    await build(['times@1'])
    expect(await stalled()).toEqual([0, 0])
  })

  it('follows promotions and prunings, and forgets what is gone', async () => {
    const { measure } = given()
    await deployment.publish(plain(3))
    await build(['times@1', 'times@2'])
    plan = planRebuild(
      plan,
      projections.map(({ schema }) => schema),
      { name: 'times', version: 2 },
      at,
    ).plan
    plan = promote(markBuilt(plan, 'times', '2'), [{ name: 'times', id: '2' }])
    expect((await measure()).map(({ is }) => is)).toEqual([
      'times 2 following',
      'times 1 following',
      'balances 1 starting',
    ])
    const { instances: _all, ...model } = plan.readModels['times']!
    const { '2': kept } = _all
    plan = { ...plan, readModels: { times: { ...model, instances: { '2': kept! }, previous: null } } }
    expect((await measure()).map(({ is }) => is)).toEqual(['times 2 following'])
    expect(await seriesOf('ledger_projection_position')).toHaveLength(1)
  })

  it('shows no lag when the head is not known any more, and its growing age', async () => {
    const { watch, measure } = given()
    await deployment.publish(plain(3))
    await build(['times@1', 'balances@1'])
    await measure()
    expect(await seriesOf('ledger_projection_lag_events')).toHaveLength(2)
    isLogAway = true
    nowMs = 11_000
    await measure()
    expect(watch.problem).toBe('The log is away')
    expect(await seriesOf('ledger_projection_lag_events')).toEqual([])
    nowMs = 60_000
    expect((await seriesOf('ledger_projection_head_age_seconds'))[0]?.value).toBe(60)
    isLogAway = false
    await measure()
    expect((await seriesOf('ledger_projection_head_age_seconds'))[0]?.value).toBe(0)
    expect(await seriesOf('ledger_projection_lag_events')).toHaveLength(2)
  })

  it('lets a read model whose store is away fall behind', async () => {
    const { watch, measure } = given()
    await deployment.publish(plain(3))
    await build(['times@1', 'balances@1'])
    await measure()
    isStoreAway = true
    await deployment.publish(plain(4))
    await measure()
    nowMs = 30_000
    expect((await measure())[0]).toMatchObject({ position: 3, head: 7, stalledSeconds: 30 })
    expect(watch.problem).toBe('The store is away')
  })
})
