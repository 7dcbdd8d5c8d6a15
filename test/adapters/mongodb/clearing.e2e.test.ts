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
