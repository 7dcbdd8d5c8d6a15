import { afterEach, expect, it } from 'vitest'
import type { MongoStores } from '#src/adapters/mongodb/stores.ts'
import { isLedgerError } from '#src/domain/errors.ts'
import type { ProjectionSchema, Row } from '#src/ports/read-store.ts'
import { scrubRows } from '#src/runtime/replay/scrub.ts'
import { mongoOptions, TestDatabase } from '#test/adapters/mongodb/open-stores.ts'
import { describeWithMongo } from '#test/support/services.ts'

const schema = {
  name: 'damaged',
  version: 1,
  collections: {
    rows: {
      kind: 'state',
      fields: { id: 'int64', amount: 'int64', count: 'int32?', memo: 'text', data: 'bytes?' },
      key: ['id'],
      indexes: [['memo']],
    },
    others: { kind: 'facts', untimed: 'sample', fields: { id: 'int64', text: 'text' }, key: ['id'] },
    // Without an index, and a row.
    empty: { kind: 'state', fields: { id: 'int64' }, key: ['id'] },
  },
} as const satisfies ProjectionSchema

const rowOf = (id: bigint): Row => ({
  id,
  amount: id * 1_000_000_007n,
  count: id % 2n === 0n ? null : Number(id),
  memo: `memo ${id} \u{1f600}`,
  data: id % 3n === 0n ? null : Buffer.from([Number(id), 0, 255]),
})
const ids = [1n, 2n, 3n, 4n, 5n]

const isDamage = (error: unknown) =>
  isLedgerError(error, 'store_damaged') &&
  error.details['instance'] === 'damaged@1' &&
  /damaged@1 is damaged: .*; build it anew with "ledger-history projections rebuild"/.test(error.message)

describeWithMongo('a database that holds something else than was written', (mongo) => {
  let database: TestDatabase
  afterEach(() => database.dispose())

  const given = async (): Promise<MongoStores> => {
    database = new TestDatabase(mongo)
    const stores = await database.open()
    const writer = await stores.readStore.openWriter(schema)
    const puts = ids.flatMap((id) => [
      { collection: 'rows', row: rowOf(id) },
      { collection: 'others', row: { id, text: `other ${id}` } },
    ])
    await writer.commit({ from: 0, to: { position: 5, time: 5n }, puts, deletes: [] })
    await writer.close()
    return stores
  }
  const alter = (collection: string, change: object) =>
    database.raw((db) => db.collection(`damaged@1.${collection}`).updateOne({ id: 3n }, change))

  it('is read as it was written where nothing happened to it, also as a whole', async () => {
    const { readStore: store } = await given()
    const reader = await store.openReader(schema)
    const keys = ids.map((id) => [id])
    const found = await reader.get('rows', keys, ['id', 'amount', 'count', 'memo', 'data'])
    expect(found.map((row) => ({ ...row, data: row!['data'] && Buffer.from(row!['data'] as Uint8Array) }))).toEqual(
      ids.map(rowOf),
    )
    expect(await scrubRows({ store, schema })).toMatchObject({ rows: 10, position: 5, damage: undefined })
  })

  for (const [what, change] of [
    ['a number', { $set: { amount: 1n } }],
    ['a number that becomes another kind of number', { $set: { count: 3.5 } }],
    ['a text', { $set: { memo: 'memo 3' } }],
    ['bytes', { $set: { data: Buffer.from([3]) } }],
    ['a field that is gone', { $unset: { amount: '' } }],
    ['the checksums', { $set: { _s: '' } }],
    ['checksums that are gone', { $unset: { _s: '' } }],
  ] as const) {
    it(`is not answered from: ${what}`, async () => {
      const { readStore: store } = await given()
      await alter('rows', change)
      const reader = await store.openReader(schema)
      const select = ['amount', 'count', 'memo', 'data']
      expect((await reader.get('rows', [[1n], [2n]], select)).map((row) => row?.['amount'])).toEqual([
        1_000_000_007n,
        2_000_000_014n,
      ])
      await expect(reader.get('rows', [[3n]], select)).rejects.toSatisfy(isDamage)
      await expect(reader.find({ collection: 'rows', index: ['id'], limit: 9, select })).rejects.toSatisfy(isDamage)
      await expect(reader.scan('rows', undefined, 9)).rejects.toSatisfy(isDamage)
      expect((await scrubRows({ store, schema }))?.damage).toSatisfy(isDamage)
      const writer = await store.openWriter(schema)
      expect((await writer.load('rows', [[1n]]))[0]).toMatchObject({ amount: 1_000_000_007n })
      await expect(writer.load('rows', [[3n]])).rejects.toSatisfy(isDamage)
      await writer.close()
    })
  }

  it('is not answered from where the text of an index leads to another row', async () => {
    const { readStore: store } = await given()
    const other = await database.raw((db) => db.collection('damaged@1.rows').findOne({ id: 5n }))
    await alter('rows', { $set: { _i0: other!['_i0'] } })
    const reader = await store.openReader(schema)
    expect((await reader.get('rows', [[3n]], ['memo']))[0]).toMatchObject({ memo: rowOf(3n)['memo'] })
    const asked = reader.find({
      collection: 'rows',
      index: ['memo'],
      prefix: ['memo 5 \u{1f600}'],
      limit: 9,
      select: ['id'],
    })
    await expect(asked).rejects.toSatisfy(isDamage)
    expect((await scrubRows({ store, schema }))?.damage).toSatisfy(isDamage)
  })

  for (const [what, lose] of [
    ['dropped', (name: string) => database.raw((db) => db.collection(name).drop())],
    ['emptied', (name: string) => database.raw((db) => db.collection(name).deleteMany({}))],
  ] as const) {
    for (const collection of ['rows', 'others', 'empty']) {
      it(`is not answered from, nor written to, where a collection was ${what}: ${collection}`, async () => {
        const { readStore: store } = await given()
        const reader = await store.openReader(schema)
        expect(await reader.origin?.()).toBeDefined()
        await lose(`damaged@1.${collection}`)
        const fresh = await store.openReader(schema)
        await expect(fresh.origin?.()).rejects.toSatisfy(isDamage)
        // One that has looked a moment ago looks again soon.
        await expect(reader.check?.()).rejects.toSatisfy(isDamage)
        expect((await scrubRows({ store, schema }))?.damage).toSatisfy(isDamage)
        await expect(store.openWriter(schema)).rejects.toSatisfy(isDamage)
        // Its repair.
        await store.remove(schema)
        const writer = await store.openWriter(schema)
        await writer.commit({ from: 0, to: { position: 1, time: 1n }, puts: [], deletes: [] })
        await writer.close()
        expect(await (await store.openReader(schema)).origin?.()).toBeDefined()
      })
    }
  }

  it('is told also where the writer went on before anybody looked, which makes the collection again', async () => {
    const { readStore: store } = await given()
    const writer = await store.openWriter(schema)
    await database.raw((db) => db.collection('damaged@1.rows').drop())
    const puts = [{ collection: 'rows', row: rowOf(6n) }]
    await writer.commit({ from: 5, to: { position: 6, time: 6n }, puts, deletes: [] })
    await expect((await store.openReader(schema)).origin?.()).rejects.toSatisfy(isDamage)
    await writer.close()
  })

  it('of an earlier release is read without checksums, and gets the marks of its collections', async () => {
    const { readStore: store } = await given()
    await database.raw(async (db) => {
      await db.collection('checkpoints').updateMany({}, { $unset: { sums: '', marked: '' } })
      for (const name of ['rows', 'others'])
        await db.collection(`damaged@1.${name}`).updateMany({}, { $unset: { _s: '' } })
      for (const name of ['rows', 'others', 'empty']) await db.collection(`damaged@1.${name}`).deleteMany({ id: null })
    })
    const reader = await store.openReader(schema)
    expect(await reader.origin?.()).toBeDefined()
    expect(await reader.scan('rows', undefined, 9)).toHaveLength(5)
    const writer = await store.openWriter(schema)
    expect((await writer.load('rows', [[3n]]))[0]).toMatchObject({ amount: 3_000_000_021n })
    await writer.close()
    await database.raw((db) => db.collection('damaged@1.empty').drop())
    await expect((await store.openReader(schema)).origin?.()).rejects.toSatisfy(isDamage)
  })

  it('that an earlier release owned for a while is read without checksums from then on', async () => {
    const { readStore: store } = await given()
    const reader = await store.openReader(schema)
    expect(await reader.scan('rows', undefined, 9)).toHaveLength(5)
    await database.raw(async (db) => {
      // As it takes over, and changes a row.
      await db.collection('checkpoints').updateMany({}, { $inc: { epoch: 1 } })
      await db.collection('damaged@1.rows').updateOne({ id: 3n }, { $set: { memo: 'changed' }, $unset: { _s: '' } })
      await db.collection('damaged@1.empty').deleteMany({})
    })
    await reader.checkpoint()
    expect((await reader.get('rows', [[3n]], ['memo']))[0]).toEqual({ memo: 'changed' })
    expect(await (await store.openReader(schema)).origin?.()).toBeDefined()
    const writer = await store.openWriter(schema)
    expect((await writer.load('rows', [[3n]]))[0]).toMatchObject({ memo: 'changed' })
    await writer.close()
    await database.raw((db) => db.collection('damaged@1.empty').drop())
    await expect((await store.openReader(schema)).origin?.()).rejects.toSatisfy(isDamage)
  })

  it('is no damage where an earlier release, which knows no checksums, has changed the plan', async () => {
    const { controlStore } = await given()
    await controlStore.put('plan', '{"generation":1}', 0)
    await database.raw((db) =>
      db.collection('control').updateOne({ revision: 1 }, { $set: { revision: 2, text: '{"generation":2}' } }),
    )
    expect(await controlStore.get('plan')).toEqual({ name: 'plan', revision: 2, text: '{"generation":2}' })
    expect(await controlStore.put('plan', '{"generation":3}', 2)).toBe(true)
    await database.raw((db) => db.collection('control').updateOne({}, { $set: { text: '{"generation":4}' } }))
    await expect(controlStore.get('plan')).rejects.toMatchObject({ code: 'store_damaged' })
  })

  it('is not taken for the plan, nor for an interrupted commit', async () => {
    const { controlStore, readStore } = await given()
    await controlStore.put('plan', '{"generation":1}', 0)
    await controlStore.put('plan', '{"generation":2}', 1)
    expect((await controlStore.get('plan'))?.text).toBe('{"generation":2}')
    await database.raw((db) => db.collection('control').updateOne({}, { $set: { text: '{"generation":3}' } }))
    await expect(controlStore.get('plan')).rejects.toMatchObject({ code: 'store_damaged' })
    await expect(controlStore.list('')).rejects.toMatchObject({ code: 'store_damaged' })

    const interrupting = await database.open({
      ...mongoOptions(database.uri, database.name),
      beforeStep: async (step) => {
        if (step === 'rows') throw new Error('interrupted')
      },
    })
    const writer = await interrupting.readStore.openWriter(schema)
    const puts = [{ collection: 'rows', row: rowOf(6n) }]
    await expect(writer.commit({ from: 5, to: { position: 6, time: 6n }, puts, deletes: [] })).rejects.toThrow()
    await writer.close()
    await database.raw(async (db) => {
      const chunk = (await db.collection('journal').findOne({}))!
      const data = Buffer.from(chunk['data'].buffer ?? chunk['data'])
      data[data.length - 20]! ^= 1
      await db.collection('journal').updateOne({ _id: chunk._id }, { $set: { data } })
    })
    await expect(readStore.openWriter(schema)).rejects.toMatchObject({ code: 'store_damaged' })
  })
})
