import { afterEach, describe, expect, it } from 'vitest'
import { LedgerError } from '#src/domain/errors.ts'
import { beginGeneration, forget, markBuilt, planRebuild, promote, setPaused } from '#src/operations/decide.ts'
import { changePlan, readPlan } from '#src/operations/plan-store.ts'
import type { Logger } from '#src/ports/logger.ts'
import { silentLogger } from '#src/ports/logger.ts'
import type { ProjectionSchema } from '#src/ports/read-store.ts'
import { projectionOfInstance } from '#src/runtime/fold/projection.ts'
import { runProjections } from '#src/runtime/fold/projector.ts'
import { TestDeployment } from '#test/runtime/replay/deployment.ts'
import { balancesProjection, timesProjection } from '#test/support/sample-projections.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'

const balances = balancesProjection()
const times = timesProjection()
const at = '2026-01-01T00:00:00.000Z'
const plain = (count: number): undefined[] => Array.from({ length: count }, () => undefined)

describe('superviseProjections', () => {
  let deployment = new TestDeployment()
  let removeFolder: (() => Promise<void>) | undefined
  const start = (): TestDeployment => {
    deployment = new TestDeployment()
    return deployment
  }
  const startInFolder = async (): Promise<TestDeployment> => {
    const folder = await temporaryFolder()
    removeFolder = folder.remove
    deployment = new TestDeployment(folder.path)
    return deployment
  }
  afterEach(async () => {
    await deployment.close()
    await removeFolder?.()
    removeFolder = undefined
  })

  const reaches = (schema: ProjectionSchema, position: number) =>
    expect.poll(() => deployment.positionOf(schema), { timeout: 5_000, interval: 2 }).toBe(position)
  const change = (decide: Parameters<typeof changePlan>[1]) => changePlan(deployment.control, decide)
  /** Builds another instance as the verb does, and hands it over. */
  const rebuild = async (name: string, version: number, projections = [times, balances]) => {
    const known = projections.map(({ schema }) => schema)
    let id = ''
    await change((plan) => {
      const planned = planRebuild(plan, known, { name, version }, at)
      id = planned.instance.id
      return planned.plan
    })
    const instance = (await readPlan(deployment.control)).readModels[name]!.instances[id]!
    const known1 = projections.find(({ schema }) => schema.name === name && schema.version === version)!
    const projection = projectionOfInstance(known1, instance)
    const log = deployment.log(instance.generation)
    await runProjections({ log, store: deployment.store, projections: [projection], follow: false, strict: true })
    await change((plan) => markBuilt(plan, name, id))
    return { id, schema: projection.schema }
  }

  it('lets the newest version of a read model that no plan knows serve, and keeps it up to date', async () => {
    start()
    await deployment.publish(plain(3))
    const { ended, finish, instances } = deployment.supervise([balances, times, timesProjection({ version: 2 })])
    await reaches(balances.schema, 3)
    await deployment.publish(plain(2))
    await reaches(balances.schema, 5)
    await reaches(timesProjection({ version: 2 }).schema, 5)
    expect((await readPlan(deployment.control)).readModels['times']?.serving).toBe('2')
    expect(await deployment.positionOf(times.schema)).toBe(0)
    expect(instances().map(({ name, id, state, epoch }) => ({ name, id, state, owned: epoch !== null }))).toEqual([
      { name: 'balances', id: '1', state: 'following', owned: true },
      { name: 'times', id: '2', state: 'following', owned: true },
    ])
    finish.abort()
    await ended
  })

  it('goes on where the plan is lost, as with a store that comes back older', async () => {
    start()
    await deployment.publish(plain(3))
    const { ended, finish } = deployment.supervise([balances, times])
    await reaches(balances.schema, 3)
    await deployment.control.remove('plan')
    await expect.poll(async () => Object.keys((await readPlan(deployment.control)).readModels)).toHaveLength(2)
    await deployment.publish(plain(2))
    await reaches(balances.schema, 5)
    await reaches(times.schema, 5)
    finish.abort()
    await ended
  })

  it('keeps only the read models that it is told to', async () => {
    start()
    await deployment.publish(plain(2))
    deployment.supervise([balances, times], { only: ['times'] })
    await reaches(times.schema, 2)
    expect(await deployment.positionOf(balances.schema)).toBe(0)
    expect(Object.keys((await readPlan(deployment.control)).readModels)).toEqual(['times'])
  })

  it('lets go of a paused instance and takes it up again, while the others go on', async () => {
    start()
    await deployment.publish(plain(2))
    const { instances } = deployment.supervise([balances, times])
    await reaches(balances.schema, 2)
    await reaches(times.schema, 2)
    const epochOfTimes = instances().find(({ name }) => name === 'times')?.epoch
    await change((plan) => setPaused(plan, 'balances', undefined, true))
    await expect.poll(() => instances().map(({ name }) => name)).toEqual(['times'])
    await deployment.publish(plain(3))
    await reaches(times.schema, 5)
    expect(await deployment.positionOf(balances.schema)).toBe(2)
    await change((plan) => setPaused(plan, 'balances', undefined, false))
    await reaches(balances.schema, 5)
    expect(instances().find(({ name }) => name === 'times')?.epoch).toBe(epochOfTimes)
  })

  it('follows a rebuild, its promotion and the pruning of what served before, while events keep coming', async () => {
    start()
    await deployment.publish(plain(10))
    const times2 = timesProjection({ version: 2 })
    await change((plan) => plan)
    const { instances } = deployment.supervise([balances, times, times2])
    // Version 1 serves, as if it had been adopted by older code.
    await reaches(times2.schema, 10)
    const { id, schema } = await rebuild('times', 1, [times, times2])
    expect(id).toBe('1')
    await deployment.publish(plain(3))
    await reaches(schema, 13)
    await reaches(times2.schema, 13)
    const epochs = () => instances().map(({ name, id: each, epoch }) => `${name} ${each} ${epoch}`)
    const before = epochs()
    await change((plan) => promote(plan, [{ name: 'times', id: '1' }]))
    await deployment.publish(plain(3))
    await reaches(schema, 16)
    await reaches(times2.schema, 16)
    expect(epochs().sort()).toEqual(before.sort())
    await change((plan) => forget(plan, 'times', '2'))
    await expect.poll(() => instances().map(({ id: each }) => each)).toEqual(['1', '1'])
    await deployment.publish(plain(3))
    await reaches(schema, 19)
    expect(await deployment.positionOf(times2.schema)).toBe(16)
  })

  it('reads the log of the generation that an instance belongs to', async () => {
    start()
    await deployment.publish(plain(2))
    await deployment.publish(plain(7), 2)
    deployment.supervise([times])
    await reaches(times.schema, 2)
    await change((plan) => beginGeneration(plan, 'history before the start', at).plan)
    await change((plan) => {
      const planned = planRebuild(plan, [times.schema], { name: 'times', generation: 2 }, at)
      return markBuilt(planned.plan, 'times', planned.instance.id)
    })
    const second = { ...times.schema, build: 2 }
    await reaches(second, 7)
    await deployment.publish(plain(1), 2)
    await reaches(second, 8)
    expect(await deployment.positionOf(times.schema)).toBe(2)
  })

  it('waits while another process keeps an instance, and takes over what that one leaves', async () => {
    await startInFolder()
    await deployment.publish(plain(5))
    const first = deployment.supervise([balances, times], { only: ['balances'] })
    await reaches(balances.schema, 5)
    const second = deployment.supervise([balances, times])
    await reaches(times.schema, 5)
    await expect
      .poll(() => second.instances().find(({ name }) => name === 'balances'))
      .toMatchObject({ state: 'waiting', epoch: null })
    await first.end()
    await deployment.publish(plain(5))
    await reaches(balances.schema, 10)
    await reaches(times.schema, 10)
    expect(second.instances().map(({ state }) => state)).toEqual(['following', 'following'])
  })

  it('begins anew from the stored rows when another owner came between', async () => {
    start()
    await deployment.publish(plain(5))
    const { instances } = deployment.supervise([balances])
    await reaches(balances.schema, 5)
    const [{ epoch = null } = {}] = instances()
    await (await deployment.store.openWriter(balances.schema)).close()
    await deployment.publish(plain(5))
    await reaches(balances.schema, 10)
    expect(instances()[0]?.epoch).toBeGreaterThan(epoch ?? Number.POSITIVE_INFINITY)
  })

  it('says once that the serving version is unknown to its code, and keeps the others', async () => {
    start()
    await deployment.publish(plain(2))
    const newer = deployment.supervise([balances, timesProjection({ version: 2 })])
    await reaches(balances.schema, 2)
    await newer.end()
    const said: string[] = []
    const logger: Logger = { ...silentLogger, error: (_fields, message) => said.push(message) }
    deployment.supervise([balances, times], { logger })
    await deployment.publish(plain(2))
    await reaches(balances.schema, 4)
    await deployment.publish(plain(2))
    await reaches(balances.schema, 6)
    expect(said).toHaveLength(1)
    expect(said[0]).toContain('the version that serves is unknown to this code')
  })

  it('ends with what a serving instance cannot fold when nothing else serves', async () => {
    start()
    await deployment.publish([undefined, 'poison 1'])
    const { ended } = deployment.supervise([balances])
    await expect(ended).rejects.toMatchObject({ code: 'fold_failed' })
  })

  it('stays for the plan when all of it failed, but others keep read models in the same process', async () => {
    start()
    await deployment.publish([undefined, 'poison 1'])
    let hasEnded = false
    const { ended, instances } = deployment.supervise([balances], { isOneOfSeveral: true })
    void ended.then(() => (hasEnded = true))
    await expect.poll(() => instances()[0]?.state).toBe('failed')
    expect(hasEnded).toBe(false)
  })

  it('goes on with the others when a serving instance cannot be folded, and says why', async () => {
    start()
    await deployment.publish([undefined, 'poison 1'])
    const { instances } = deployment.supervise([balances, times])
    await expect.poll(() => instances().find(({ name }) => name === 'balances')?.state).toBe('failed')
    await deployment.publish(plain(3))
    await reaches(times.schema, 5)
    expect(instances().find(({ name }) => name === 'balances')?.problem).toContain('cannot fold poison')
  })

  it('tells at the end of the work what a serving instance could not fold', async () => {
    start()
    await deployment.publish([undefined, 'poison 1', undefined])
    const { ended } = deployment.supervise([balances, times], { finish: AbortSignal.abort() })
    await expect(ended).rejects.toMatchObject({ code: 'fold_failed' })
    await reaches(times.schema, 3)
  })

  it('sets an instance aside that does not serve and cannot be folded', async () => {
    start()
    await deployment.publish(plain(2))
    const balances2 = balancesProjection(2)
    const { instances } = deployment.supervise([balances])
    await reaches(balances.schema, 2)
    await rebuild('balances', 2, [balances, balances2])
    const both = deployment.supervise([balances, balances2], { only: ['balances'] })
    await reaches(balances2.schema, 2)
    await deployment.publish(['poison 2', undefined])
    await reaches(balances.schema, 4)
    await expect.poll(() => both.instances().find(({ id }) => id === '2')?.state).toBe('failed')
    expect(both.instances().find(({ id }) => id === '2')?.problem).toContain('cannot fold poison')
    expect(instances()).toHaveLength(1)
  })

  it('brings everything to the end of the log when it is to finish, also right at the start', async () => {
    start()
    await deployment.publish(plain(9))
    const finish = AbortSignal.abort()
    await deployment.supervise([balances, times], { finish }).ended
    expect(await deployment.positionOf(balances.schema)).toBe(9)
    expect(await deployment.positionOf(times.schema)).toBe(9)
  })

  it('goes on with the last plan while the control store is away, and follows it again afterwards', async () => {
    start()
    let away = false
    const { control } = deployment
    const warned: string[] = []
    const flaky = {
      ...passedOnControl(deployment),
      get: async (name: string) => {
        if (away) throw new LedgerError('store_unavailable', 'The control store is away')
        return control.get(name)
      },
    }
    const logger: Logger = { ...silentLogger, warn: (_fields, message) => warned.push(message) }
    const { instances } = deployment.supervise([balances], { control: flaky, logger })
    await deployment.publish(plain(1))
    await reaches(balances.schema, 1)
    away = true
    await expect.poll(() => warned).toEqual(['the plan cannot be read, going on with the last one'])
    await change((plan) => setPaused(plan, 'balances', undefined, true))
    await deployment.publish(plain(1))
    await reaches(balances.schema, 2)
    away = false
    await expect.poll(() => instances()).toEqual([])
  })

  it('tells where an instance stands after its commits, not more than once a second', async () => {
    start()
    const told: number[] = []
    const { end } = deployment.supervise([balances], {
      reportProgress: async (_instance, position) => void told.push(position),
    })
    await deployment.publish(plain(4))
    await reaches(balances.schema, 4)
    await expect.poll(() => told.length).toBeGreaterThan(0)
    await end()
    expect(told).toEqual([...new Set(told)].sort((a, b) => a - b))
    expect(told.length).toBeLessThan(3)
  })
})

function passedOnControl({ control }: TestDeployment) {
  return {
    list: (prefix: string) => control.list(prefix),
    put: (name: string, text: string, revision: number) => control.put(name, text, revision),
    remove: (name: string) => control.remove(name),
    close: () => control.close(),
  }
}
