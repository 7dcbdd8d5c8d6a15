import { expect, it } from 'vitest'
import { type ProjectionSchema, type RowReader, typedRows } from '#src/ports/read-store.ts'

const schema = {
  name: 'sample',
  version: 1,
  collections: {
    entities: { fields: { id: 'int64', alias: 'bytes?', kind: 'int32' }, key: ['id'], indexes: [['alias']] },
  },
} as const satisfies ProjectionSchema

const reader: Pick<RowReader, 'get' | 'find'> = {
  get: async (_collection, keys) => keys.map(([id = null]) => ({ id, alias: null })),
  find: async ({ index }) => [{ id: 7n, alias: Buffer.from(index.join()) }],
}

it('types keys, indexes and rows from the schema', async () => {
  const rows = typedRows<typeof schema>(reader)
  const [found] = await rows.find({ collection: 'entities', index: ['alias'], limit: 1, select: ['id', 'alias'] })
  const id: bigint | undefined = found?.id
  const alias: Uint8Array | null | undefined = found?.alias
  expect({ id, alias: alias?.toString() }).toEqual({ id: 7n, alias: 'alias' })
  expect(await rows.get('entities', [[1n]], ['id'])).toEqual([{ id: 1n, alias: null }])
})

it('does not compile what the schema has not', async () => {
  const rows = typedRows<typeof schema>(reader)
  // @ts-expect-error: no such collection
  await rows.get('tokens', [[1n]], ['id'])
  // @ts-expect-error: the key is a bigint
  await rows.get('entities', [['1']], ['id'])
  // @ts-expect-error: no such index
  await rows.find({ collection: 'entities', index: ['kind'], limit: 1, select: ['id'] })
  // @ts-expect-error: no such field
  await rows.find({ collection: 'entities', index: ['id'], limit: 1, select: ['memo'] })
  const [found] = await rows.find({ collection: 'entities', index: ['id'], limit: 1, select: ['id'] })
  // @ts-expect-error: a field that was not asked for
  expect(found?.alias).toBeDefined()
})
