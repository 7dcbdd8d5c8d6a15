import { afterEach, expect, it } from 'vitest'
import type { CommitStep } from '#src/adapters/mongodb/options.ts'
import { isLedgerError } from '#src/domain/errors.ts'
import type { ProjectionSchema } from '#src/ports/read-store.ts'
import {
  changingSchema,
  commitOf,
  expectedAt,
  foundIn,
  growingSchema,
  onlyGrows,
} from '#test/adapters/mongodb/numbered-commits.ts'
import { TestDatabase, testTimes } from '#test/adapters/mongodb/open-stores.ts'
import { describeWithMongo } from '#test/support/services.ts'

/** Steps after which the commit stands, whoever finishes it. */
const decided: readonly CommitStep[] = ['rows', 'parked', 'checkpoint', 'journal-end']
const cases = [
  ...(['journal', 'commit-point', ...decided] as const).map((step) => ({ schema: changingSchema, step })),
  ...(['rows', 'parked', 'checkpoint'] as const).map((step) => ({ schema: growingSchema, step })),
]
const named = cases.map(({ schema, step }) => ({ schema, step, name: schema.name }))

/** Where a successor goes on when the commit from 10 to 20 was interrupted before this step. */
function positionAfter(schema: ProjectionSchema, step: CommitStep): number {
  return !onlyGrows(schema) && decided.includes(step) ? 20 : 10
}

/** Never gives a sign of life, so that it is taken for dead while it still runs. */
const silent = { leaseMs: 2_000_000, heartbeatMs: 1_000_000 }

describeWithMongo('a commit to MongoDB that is interrupted', (mongo) => {
  let database: TestDatabase
  const start = () => {
    database = new TestDatabase(mongo)
    return database
  }
  afterEach(() => database.dispose())

  it.each(named)('before $step of $name is whole or absent, and leaves nothing behind', async ({ schema, step }) => {
    const { open, raw } = bound(start())
    let armed = false
    const { readStore } = await open({
      beforeStep: (each) => {
        if (armed && each === step) throw new Error('interrupted')
      },
    })
    const writer = await readStore.openWriter(schema)
    await writer.commit(commitOf(schema, 0, 10))
    armed = true
    await expect(writer.commit(commitOf(schema, 10, 20))).rejects.toThrow('interrupted')
    await expect(writer.commit(commitOf(schema, 10, 20))).rejects.toSatisfy((error) =>
      isLedgerError(error, 'store_unavailable'),
    )
    await writer.close()
    const position = positionAfter(schema, step)
    const other = (await open()).readStore
    const next = await other.openWriter(schema)
    expect(next.checkpoint?.position).toBe(position)
    if (!onlyGrows(schema)) expect(await foundIn(other, schema)).toEqual(expectedAt(schema, position))
    // With other boundaries than before.
    await next.commit(commitOf(schema, position, position + 3))
    await next.commit(commitOf(schema, position + 3, 40))
    expect(await foundIn(other, schema)).toEqual(expectedAt(schema, 40))
    expect(await raw((db) => db.collection('journal').countDocuments())).toBe(0)
  })

  it.each(named)(
    'before $step of $name by a pause changes nothing when it goes on too late',
    async ({ schema, step }) => {
      const { open } = bound(start())
      const gate = createGate()
      let armed = false
      const zombie = await (
        await open({ ...silent, beforeStep: (each) => (armed && each === step ? gate.pass() : undefined) })
      ).readStore.openWriter(schema)
      await zombie.commit(commitOf(schema, 0, 10))
      armed = true
      const late = zombie.commit(commitOf(schema, 10, 20)).then(
        () => 'done',
        (error: unknown) => error,
      )
      await gate.reached
      const { readStore } = await open()
      const next = await readStore.openWriter(schema)
      const position = positionAfter(schema, step)
      expect(next.checkpoint?.position).toBe(position)
      await next.commit(commitOf(schema, position, position + 3))
      await next.commit(commitOf(schema, position + 3, 40))
      await next.unpark([14])
      gate.open()
      const outcome = await late
      // A commit that only had to be cleared away behind is done, and says so.
      if (step === 'journal-end') expect(outcome).toBe('done')
      else expect(isLedgerError(outcome, 'owner_fenced')).toBe(true)
      const { parked, ...expected } = expectedAt(schema, 40)
      expect(await foundIn(readStore, schema)).toEqual({ ...expected, parked: parked.filter((each) => each !== 14) })
      for (const use of [
        () => zombie.commit(commitOf(schema, 20, 21)),
        () => zombie.load('slots', [[1]]),
        () => zombie.unpark([7]),
      ])
        await expect(use()).rejects.toSatisfy((error) => isLedgerError(error, 'owner_fenced'))
      expect(await foundIn(readStore, schema)).toEqual({ ...expected, parked: parked.filter((each) => each !== 14) })
    },
  )

  it('leaves added rows that the next one does not write again, unless they differ', async () => {
    const { open, raw } = bound(start())
    let armed = true
    const { readStore } = await open({
      beforeStep: (each) => {
        if (armed && each === 'parked') throw new Error('interrupted')
      },
    })
    const writer = await readStore.openWriter(growingSchema)
    await expect(writer.commit(commitOf(growingSchema, 0, 20))).rejects.toThrow('interrupted')
    await writer.close()
    armed = false
    const next = await readStore.openWriter(growingSchema)
    await next.commit(commitOf(growingSchema, 0, 30))
    expect(await foundIn(readStore, growingSchema)).toEqual(expectedAt(growingSchema, 30))
    const versionsOf = (slots: readonly number[]) =>
      raw((db) =>
        db
          .collection('growing@1.slots')
          .find({ slot: { $in: slots } })
          .map(({ _v }) => _v)
          .toArray(),
      )
    // The window of the events from 16 on has grown, that of those before has not.
    expect(await versionsOf([1, 20, -1])).toEqual([20n << 16n, 20n << 16n, 20n << 16n])
    expect(await versionsOf([21, 30, -2])).toEqual([30n << 16n, 30n << 16n, 30n << 16n])
  })

  it('in its journal by a lost chunk is reported, and nothing is written', async () => {
    const { open, raw } = bound(start())
    let armed = false
    const { readStore } = await open({
      journalChunkBytesMax: 2_000,
      beforeStep: (each) => {
        if (armed && each === 'rows') throw new Error('interrupted')
      },
    })
    const writer = await readStore.openWriter(changingSchema)
    await writer.commit(commitOf(changingSchema, 0, 10))
    armed = true
    await expect(writer.commit(commitOf(changingSchema, 10, 20, { bytes: 900 }))).rejects.toThrow('interrupted')
    await writer.close()
    expect(await raw((db) => db.collection('journal').countDocuments())).toBeGreaterThan(3)
    await raw((db) => db.collection<{ _id: string }>('journal').deleteOne({ _id: /^changing@1\/1-2-.*\/000001$/ }))
    const refusal = (await open()).readStore.openWriter(changingSchema)
    await expect(refusal).rejects.toSatisfy((error) => isLedgerError(error, 'store_damaged'))
    const { position, ...found } = await foundIn(readStore, changingSchema)
    expect(position).toBe(10)
    expect(found.rows).toEqual(expectedAt(changingSchema, 10).rows)
  })

  it('leaves no row from the future to a fold', async () => {
    const { open, raw } = bound(start())
    const { readStore } = await open()
    const writer = await readStore.openWriter(changingSchema)
    await writer.commit(commitOf(changingSchema, 0, 10))
    await raw((db) => db.collection('changing@1.slots').updateMany({}, { $set: { _v: 11n << 16n } }))
    await expect(writer.load('slots', [[10]])).rejects.toSatisfy((error) => isLedgerError(error, 'store_damaged'))
  })

  it('is repeated from a journal of several chunks, whatever its size', async () => {
    const { open, raw } = bound(start())
    let armed = true
    const beforeStep = (each: CommitStep) => {
      if (armed && each === 'parked') throw new Error('interrupted')
    }
    // As many chunks of the full size take FerretDB half a minute.
    const scale = mongo.name === 'ferretdb' ? 64 : 1
    const { readStore } = await open({ beforeStep, journalChunkBytesMax: (8 << 20) / scale })
    const writer = await readStore.openWriter(changingSchema)
    const padding = { bytes: (3 << 20) / scale }
    await expect(writer.commit(commitOf(changingSchema, 0, 10, padding))).rejects.toThrow('interrupted')
    await writer.close()
    armed = false
    expect(await raw((db) => db.collection('journal').countDocuments())).toBeGreaterThan(2)
    const next = await readStore.openWriter(changingSchema)
    expect(await foundIn(readStore, changingSchema)).toEqual(expectedAt(changingSchema, 10))
    const [row] = await next.load('slots', [[10]])
    expect(Buffer.from(row?.['data'] as Uint8Array).equals(Buffer.alloc(padding.bytes, 10))).toBe(true)
  })

  it('gives its last sign of life a lease before another takes over, unless it closed', async () => {
    const { open } = bound(start())
    const first = await (await open(silent)).readStore.openWriter(changingSchema)
    const { readStore } = await open()
    const started = performance.now()
    const second = await readStore.openWriter(changingSchema)
    expect(performance.now() - started).toBeGreaterThanOrEqual(testTimes.leaseMs)
    await expect(first.commit(commitOf(changingSchema, 0, 1))).rejects.toSatisfy((error) =>
      isLedgerError(error, 'owner_fenced'),
    )
    await second.close()
    const again = performance.now()
    await readStore.openWriter(changingSchema)
    expect(performance.now() - again).toBeLessThan(testTimes.leaseMs)
  })

  it('stays shut out when the read model is removed and built anew', async () => {
    const { open } = bound(start())
    const zombie = await (await open(silent)).readStore.openWriter(growingSchema)
    await zombie.commit(commitOf(growingSchema, 0, 10))
    const { readStore } = await open()
    await readStore.remove(growingSchema)
    const writer = await readStore.openWriter(growingSchema)
    expect(writer.epoch).toBeGreaterThan(zombie.epoch)
    await writer.commit(commitOf(growingSchema, 0, 10))
    await expect(zombie.commit(commitOf(growingSchema, 10, 50))).rejects.toSatisfy((error) =>
      isLedgerError(error, 'owner_fenced'),
    )
    expect(await foundIn(readStore, growingSchema)).toEqual(expectedAt(growingSchema, 10))
  })
})

function bound(database: TestDatabase) {
  return { open: database.open.bind(database), raw: database.raw.bind(database) }
}

/** A place where somebody waits until it is opened. */
function createGate() {
  const arrived = Promise.withResolvers<void>()
  const opened = Promise.withResolvers<void>()
  return {
    reached: arrived.promise,
    open: () => opened.resolve(),
    pass: () => {
      arrived.resolve()
      return opened.promise
    },
  }
}
