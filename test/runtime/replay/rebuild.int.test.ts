import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSqliteReadStore } from '#src/adapters/sqlite/read-store.ts'
import { silentLogger } from '#src/ports/logger.ts'
import type { AnyProjection } from '#src/runtime/fold/projection.ts'
import { projectionOfInstance } from '#src/runtime/fold/projection.ts'
import { runProjections } from '#src/runtime/fold/projector.ts'
import {
  dryRunRebuild,
  type RebuildOptions,
  type RebuildProgress,
  rebuildProjection,
} from '#src/runtime/replay/rebuild.ts'
import { TestDeployment } from '#test/runtime/replay/deployment.ts'
import { balancesProjection, timesProjection } from '#test/support/sample-projections.ts'

const times = timesProjection()
const balances = balancesProjection()
const plain = (count: number): undefined[] => Array.from({ length: count }, () => undefined)
const secondBuildOf = (projection: AnyProjection) => projectionOfInstance(projection, { build: 2 })

describe('rebuildProjection', () => {
  let deployment: TestDeployment
  beforeEach(() => {
    deployment = new TestDeployment()
  })
  afterEach(() => deployment.close())

  const rebuild = (projection: AnyProjection, options: Partial<RebuildOptions> = {}) =>
    rebuildProjection({ log: deployment.log(), store: deployment.store, projection, logger: silentLogger, ...options })
  const build = (projections: readonly AnyProjection[]) =>
    runProjections({ log: deployment.log(), store: deployment.store, projections, follow: false })

  it('gives the rows of the instance that serves, beside it', async () => {
    await deployment.publish(plain(50))
    await build([times, balances])
    for (const projection of [times, balances]) {
      const second = secondBuildOf(projection)
      expect(await rebuild(second)).toEqual({ finished: true, position: 50 })
      expect(await deployment.digestOf(second.schema)).toEqual(await deployment.digestOf(projection.schema))
    }
  })

  it('goes on where it was interrupted, however often, and gives the same rows', async () => {
    await deployment.publish(plain(101))
    await build([times, balances])
    for (const projection of [times, balances]) {
      const second = secondBuildOf(projection)
      const positions: number[] = []
      for (let finished = false; !finished; ) {
        const stop = new AbortController()
        const result = await rebuild(second, {
          signal: stop.signal,
          limits: { readCountMax: 3, commitEventsMax: 7 },
          onProgress: ({ position }) => {
            if (position > (positions.at(-1) ?? 0)) stop.abort()
          },
        })
        expect(result.position).toBeGreaterThan(positions.at(-1) ?? 0)
        positions.push(result.position)
        finished = result.finished
      }
      expect(positions.length).toBeGreaterThan(10)
      expect(positions.at(-1)).toBe(101)
      expect(await deployment.digestOf(second.schema)).toEqual(await deployment.digestOf(projection.schema))
    }
  })

  it('runs several at once without one disturbing another', async () => {
    await deployment.publish(plain(200))
    await build([times, balances])
    const limits = { readCountMax: 5, commitEventsMax: 20 }
    const all = [times, balances].map(secondBuildOf)
    const stop = new AbortController()
    const failing = rebuild(projectionOfInstance(times, { build: 3 }), {
      signal: stop.signal,
      limits,
      onProgress: () => stop.abort(),
    })
    await Promise.all(all.map((projection) => rebuild(projection, { limits })))
    expect((await failing).finished).toBe(false)
    for (const projection of all) expect(await deployment.positionOf(projection.schema)).toBe(200)
  })

  it('stops at the first event that it cannot fold, although a live fold would park it', async () => {
    await deployment.publish([undefined, 'poison', undefined])
    await expect(rebuild(times)).rejects.toMatchObject({ code: 'fold_failed' })
  })

  it('tells position, head, rate, what is left, and its ownership', async () => {
    await deployment.publish(plain(40))
    const told: RebuildProgress[] = []
    await rebuild(times, { limits: { readCountMax: 10, commitEventsMax: 10 }, onProgress: (each) => told.push(each) })
    expect(told.map(({ position }) => position)).toEqual([0, 10, 20, 30, 40])
    expect(told.every(({ head, epoch }) => head === 40 && epoch === 1)).toBe(true)
    expect(told[0]?.etaSeconds).toBeUndefined()
    expect(told[2]?.eventsPerSecond).toBeGreaterThan(0)
    expect(told.at(-1)?.etaSeconds).toBe(0)
  })

  it('keeps to the bound of events per second', async () => {
    await deployment.publish(plain(130))
    const started = performance.now()
    const { finished } = await rebuild(times, { eventsPerSecondMax: () => 200 })
    expect(finished).toBe(true)
    expect(performance.now() - started).toBeGreaterThan(400)
  })

  it('goes on until it has what came meanwhile', async () => {
    await deployment.publish(plain(1_200))
    let published = false
    const result = await rebuild(times, {
      limits: { readCountMax: 100, commitEventsMax: 1_200 },
      onProgress: async ({ position }) => {
        if (position === 0 || published) return
        published = true
        await deployment.publish(plain(2_000))
      },
    })
    expect(result.finished).toBe(true)
    expect(result.position).toBeGreaterThanOrEqual(2_200)
  })

  it('dry: folds the first events only, leaves nothing, and says what the whole would cost', async () => {
    await deployment.publish(plain(400))
    const scratch = openSqliteReadStore({ folder: ':memory:' })
    const result = await dryRunRebuild({
      log: deployment.log(),
      scratch,
      projection: times,
      events: 100,
      logger: silentLogger,
    })
    await scratch.close()
    expect(result).toMatchObject({ events: 100, head: 400, rows: { windows: 25, events: 100 } })
    expect(result.bytes).toBeGreaterThan(1_600)
    expect(result.projectedBytes).toBe(result.bytes * 4)
    expect(result.projectedSeconds).toBeCloseTo(result.seconds * 4)
    expect(await deployment.positionOf(times.schema)).toBe(0)
  })
})
