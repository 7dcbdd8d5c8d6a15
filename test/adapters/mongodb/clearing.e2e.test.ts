import { afterEach, expect, it } from 'vitest'
import {
  changingSchema,
  commitOf,
  expectedAt,
  foundIn,
  growingSchema,
} from '#test/adapters/mongodb/numbered-commits.ts'
import { TestDatabase } from '#test/adapters/mongodb/open-stores.ts'
import { describeWithMongo } from '#test/support/services.ts'

const dayMs = 86_400_000

describeWithMongo('what is no longer needed in MongoDB', (mongo) => {
  let database: TestDatabase
  afterEach(() => database.dispose())
  const countOf = (collection: string, filter = {}) =>
    database.raw((db) => db.collection(collection).countDocuments(filter))
  const namesOf = async () => {
    const all = await database.raw((db) => db.listCollections({}, { nameOnly: true }).toArray())
    return all.map(({ name }) => name).toSorted()
  }

  it('is cleared away a day after rows were deleted, and not before', async () => {
    database = new TestDatabase(mongo)
    const { readStore } = await database.open()
    const reopen = async () => (await readStore.openWriter(changingSchema)).close()
    const writer = await readStore.openWriter(changingSchema)
    await writer.commit(commitOf(changingSchema, 0, 8))
    await writer.commit(commitOf(changingSchema, 8, 30))
    await writer.close()
    const marks = await countOf('changing@1.slots', { _d: true })
    expect(marks).toBeGreaterThan(0)
    await reopen()
    expect(await countOf('changing@1.slots', { _d: true })).toBe(marks)
    const at = new Date(Date.now() - dayMs - 1_000)
    await database.raw((db) => db.collection('tombstones').updateMany({}, { $set: { at } }))
    await reopen()
    expect(await countOf('changing@1.slots', { _d: true })).toBe(0)
    expect(await countOf('tombstones')).toBe(0)
    expect(await foundIn(readStore, changingSchema)).toEqual(expectedAt(changingSchema, 30))
  })

  it('goes in the order of the commits, up to the first that is too young', async () => {
    database = new TestDatabase(mongo)
    const { readStore } = await database.open()
    const writer = await readStore.openWriter(changingSchema)
    const steps = [0, 9, 10, 99, 100, 130]
    for (const [place, to] of steps.slice(1).entries()) await writer.commit(commitOf(changingSchema, steps[place]!, to))
    await writer.close()
    const lists = await database.raw((db) => db.collection('tombstones').find().toArray())
    const positions = [...new Set(lists.map(({ version }) => Number(version >> 16n)))].toSorted((a, b) => a - b)
    expect(positions.length).toBeGreaterThan(2)
    const at = new Date(Date.now() - dayMs - 1_000)
    const young = positions.at(-1)!
    await database.raw((db) =>
      db.collection('tombstones').updateMany({ version: { $lt: BigInt(young) << 16n } }, { $set: { at } }),
    )
    await (await readStore.openWriter(changingSchema)).close()
    const left = await database.raw((db) => db.collection('tombstones').find().toArray())
    expect(left.map(({ version }) => Number(version >> 16n))).toEqual(
      lists.map(({ version }) => Number(version >> 16n)).filter((position) => position === young),
    )
    expect(await foundIn(readStore, changingSchema)).toEqual(expectedAt(changingSchema, 130))
  })

  it('goes with the read model, and a later life has collections of its own', async () => {
    database = new TestDatabase(mongo)
    const { readStore } = await database.open()
    for (const schema of [changingSchema, growingSchema]) {
      const writer = await readStore.openWriter(schema)
      await writer.commit(commitOf(schema, 0, 30))
      await writer.close()
    }
    expect(await namesOf()).toContain('changing@1.slots')
    await readStore.remove(changingSchema)
    expect(await namesOf()).not.toContain('changing@1.slots')
    expect(await countOf('tombstones')).toBe(0)
    expect(await countOf('parked')).toBe(4)
    const writer = await readStore.openWriter(changingSchema)
    await writer.commit(commitOf(changingSchema, 0, 10))
    expect(await namesOf()).toContain('changing@1~3.slots')
    expect(await foundIn(readStore, changingSchema)).toEqual(expectedAt(changingSchema, 10))
    expect(await foundIn(readStore, growingSchema)).toEqual(expectedAt(growingSchema, 30))
  })
})
