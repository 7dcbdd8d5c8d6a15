import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { transactionsProjection } from '#projections/transactions/projection.ts'
import { openSqliteReadStore } from '#src/adapters/sqlite/read-store.ts'
import { silentLogger } from '#src/ports/logger.ts'
import { type FoldedRange, foldRange, foldsByRange } from '#src/runtime/fold/fold-range.ts'
import { type AnyProjection, projectionOfInstance } from '#src/runtime/fold/projection.ts'
import { runProjections } from '#src/runtime/fold/projector.ts'
import { TestDeployment } from '#test/runtime/replay/deployment.ts'
import { balancesProjection, timesProjection } from '#test/support/sample-projections.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'

describe('foldRange', () => {
  let deployment: TestDeployment
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  beforeEach(async () => {
    folder = await temporaryFolder()
    deployment = new TestDeployment(folder.path)
  })
  afterEach(async () => {
    await deployment.close()
    await folder.remove()
  })

  /** Folds the ranges in this order, each by a store of its own in turn, then sets the checkpoint. */
  async function inRanges(projection: AnyProjection, ranges: readonly (readonly [number, number])[]): Promise<void> {
    const stores = [openSqliteReadStore({ folder: folder.path }), openSqliteReadStore({ folder: folder.path })]
    const done: FoldedRange[] = []
    for (const [index, [from, to]] of ranges.entries()) {
      const writer = await stores[index % 2]!.openWriter(projection.schema)
      const limits = { readCountMax: 700, commitEventsMax: 900 }
      done.push(
        await foldRange({
          log: deployment.log(),
          writer,
          projection,
          from,
          to,
          strict: true,
          logger: silentLogger,
          limits,
        }),
      )
      await writer.close()
    }
    const writer = await stores[0]!.openWriter(projection.schema)
    const last = done.reduce((a, b) => (b.position > a.position ? b : a))
    await writer.commit({ from: 0, to: last, puts: [], deletes: [] })
    await writer.close()
    for (const store of stores) await store.close()
  }

  it('gives the rows and the checkpoint of one pass, in whatever order the ranges are folded', async () => {
    const windowSize = 4
    const count = windowSize * 2 + 3
    const times = timesProjection()
    await deployment.publish(Array.from({ length: count }, () => undefined))
    const { store } = deployment
    await runProjections({ log: deployment.log(), store, projections: [times], follow: false })
    const second = projectionOfInstance(times, { build: 2 })
    await inRanges(second, [
      [windowSize * 2, count],
      [0, windowSize],
      [windowSize, windowSize * 2],
    ])
    expect(await deployment.digestOf(second.schema)).toEqual(await deployment.digestOf(times.schema))
    const checkpoints = [times, second].map(async ({ schema }) => {
      const reader = await store.openReader(schema)
      const checkpoint = await reader.checkpoint()
      await reader.close()
      return checkpoint
    })
    expect(await checkpoints[1]).toEqual(await checkpoints[0])
    // And it goes on from there like the other.
    await deployment.publish([undefined, undefined])
    await runProjections({ log: deployment.log(), store, projections: [times, second], follow: false })
    expect(await deployment.digestOf(second.schema)).toEqual(await deployment.digestOf(times.schema))
  }, 60_000)

  it('leaves the checkpoint where it is', async () => {
    const times = timesProjection()
    await deployment.publish(Array.from({ length: 8 }, () => undefined))
    const writer = await deployment.store.openWriter(times.schema)
    await foldRange({
      log: deployment.log(),
      writer,
      projection: times,
      from: 4,
      to: 8,
      strict: true,
      logger: silentLogger,
    })
    await writer.close()
    expect(await deployment.positionOf(times.schema)).toBe(0)
  })

  it('refuses a projection that depends on the order, and a range that begins within a window', async () => {
    const times = timesProjection()
    const balances = balancesProjection()
    expect([times, balances, transactionsProjection].map(foldsByRange)).toEqual([true, false, false])
    for (const projection of [times, balances]) {
      const writer = await deployment.store.openWriter(projection.schema)
      const range = foldRange({
        log: deployment.log(),
        writer,
        projection,
        from: 3,
        to: 8,
        strict: true,
        logger: silentLogger,
      })
      await expect(range).rejects.toMatchObject({ code: 'operation_refused' })
      await writer.close()
    }
  })
})
