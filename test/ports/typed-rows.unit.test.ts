import { expect, it } from 'vitest'
import { type ProjectionSchema, type RowReader, typedRows } from '#src/ports/read-store.ts'

const schema = {
  name: 'sample',
  version: 1,
  collections: {
    entities: {
      kind: 'state',
      fields: { id: 'int64', alias: 'bytes?', kind: 'int32' },
      key: ['id'],
      indexes: [['alias'], ['kind', 'id']],
    },
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

it('types prefix, bounds and filters by the fields of the index', async () => {
  const rows = typedRows<typeof schema>(reader)
  const page = { collection: 'entities', limit: 1, select: ['id'] } as const
  const ofKind = { ...page, index: ['kind', 'id'] } as const
  const from = <V extends bigint | number | string>(value: V) => ({ value, inclusive: true })

  await rows.find({ ...ofKind, lower: from(3) })
  await rows.find({ ...ofKind, prefix: [3], lower: from(1n), upper: from(2n) })
  await rows.find({ ...ofKind, prefix: [3, 1n], filters: [{ field: 'alias', op: 'eq', value: null }] })
  await rows.find({ ...page, index: ['id'], filters: [{ field: 'kind', op: 'in', value: [3, 4] }] })
  // @ts-expect-error: the first field of the index is a number
  await rows.find({ ...ofKind, prefix: [1n] })
  // @ts-expect-error: more than the index has
  await rows.find({ ...ofKind, prefix: [3, 1n, 1n] })
  // @ts-expect-error: without a prefix the bound is on the first field
  await rows.find({ ...ofKind, lower: from(1n) })
  // @ts-expect-error: behind the prefix it is on the second
  await rows.find({ ...ofKind, prefix: [3], upper: from(3) })
  // @ts-expect-error: no field follows to which a bound could apply
  await rows.find({ ...ofKind, prefix: [3, 1n], lower: from(1n) })
  // @ts-expect-error: kinds are numbers
  await rows.find({ ...page, index: ['id'], filters: [{ field: 'kind', op: 'eq', value: '3' }] })
  // @ts-expect-error: one of several
  await rows.find({ ...page, index: ['id'], filters: [{ field: 'kind', op: 'in', value: 3 }] })
  // @ts-expect-error: no such field
  await rows.find({ ...page, index: ['id'], filters: [{ field: 'memo', op: 'eq', value: null }] })
  expect(rows).toBe(reader)
})
