import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSqliteReadStore } from '#src/adapters/sqlite/read-store.ts'
import { silentLogger } from '#src/ports/logger.ts'
import type { LogBatch, MessageLog, ReadOptions } from '#src/ports/message-log.ts'
import type { ReadStore } from '#src/ports/read-store.ts'
import type { AnyProjection } from '#src/runtime/fold/projection.ts'
import { projectionOfInstance } from '#src/runtime/fold/projection.ts'
import { runProjections } from '#src/runtime/fold/projector.ts'
import {
  type DryRunOptions,
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

/** The same log, of which each batch takes its time. */
function slowed(log: MessageLog, batchMs: number): MessageLog {
  const read = async function* (options: ReadOptions): AsyncGenerator<LogBatch> {
    for await (const batch of log.read(options)) {
      await sleep(batchMs)
      yield batch
    }
  }
  return { ...log, identity: () => log.identity(), head: () => log.head(), read }
}

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

  type DryRunWish = Partial<DryRunOptions> & { readonly slowMs?: number }
  const dryRun = (scratch: ReadStore, { slowMs = 0, ...options }: DryRunWish) => {
    const log = slowMs === 0 ? deployment.log() : slowed(deployment.log(), slowMs)
    return dryRunRebuild({ log, scratch, projection: times, logger: silentLogger, ...options })
  }

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
      const heads = new Set<number>()
      for (let finished = false; !finished; ) {
        const stop = new AbortController()
        const result = await rebuild(second, {
          signal: stop.signal,
          limits: { readCountMax: 3, commitEventsMax: 7 },
          onProgress: ({ position, head }) => {
            heads.add(head)
            if (position > (positions.at(-1) ?? 0)) stop.abort()
          },
        })
        expect(result.position).toBeGreaterThan(positions.at(-1) ?? 0)
        positions.push(result.position)
        expect(heads).toEqual(new Set([101]))
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
    const result = await dryRun(scratch, { events: 100, sampleSecondsMin: 0 })
    await scratch.close()
    expect(result).toMatchObject({ events: 100, head: 400, rows: { memos: 100, events: 100 } })
    expect(result.bytes).toBeGreaterThan(1_600)
    expect(result.projected?.bytes).toBe(result.bytes * 4)
    expect(result.projected?.seconds).toBeCloseTo(result.seconds + 300 / result.eventsPerSecond)
    expect(await deployment.positionOf(times.schema)).toBe(0)
  })

  it('dry: says nothing of the whole from a sample that was too short, and folds for a while unless told how much', async () => {
    await deployment.publish(plain(400))
    const scratches = [1, 2, 3].map(() => openSqliteReadStore({ folder: ':memory:' }))
    const short = await dryRun(scratches[0]!, { events: 100 })
    expect(short).toMatchObject({ events: 100, head: 400 })
    expect(short.projected).toBeUndefined()
    const whole = await dryRun(scratches[1]!, {})
    expect(whole).toMatchObject({ events: 400, projected: { seconds: whole.seconds, bytes: whole.bytes } })
    const ended = await dryRun(scratches[2]!, { sampleSeconds: 0.2, limits: { readCountMax: 1 }, slowMs: 5 })
    expect(ended.events).toBeGreaterThan(0)
    expect(ended.events).toBeLessThan(400)
    for (const scratch of scratches) await scratch.close()
  })
})
