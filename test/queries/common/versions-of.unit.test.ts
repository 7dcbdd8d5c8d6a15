import { expect, it } from 'vitest'
import { versionsOf } from '#queries/common/versions-of.ts'
import { type Row, type RowQuery, typedRows } from '#src/ports/read-store.ts'
import { defineSchema } from '#src/runtime/schema/define-schema.ts'

const fields = { id: 'int64', from: 'int64', until: 'int64?', memo: 'text' } as const
const schema = defineSchema({
  name: 'memos',
  version: 1,
  collections: { memos: { kind: 'versioned', fields, key: ['id'] } },
})

const memo = (id: bigint, from: bigint, until: bigint | null) => ({ id, from, until, memo: `${id} at ${from}` })

/** The first has changed twice, the second never, the third came late, and the fourth was stated with an end. */
const current = [memo(1n, 30n, null), memo(2n, 5n, null), memo(3n, 40n, null), memo(4n, 5n, 15n)]
const earlier = [memo(1n, 10n, 20n), memo(1n, 20n, 30n)]
const asked: RowQuery[] = []
const rows = typedRows<typeof schema>({
  get: async (_collection, keys) => keys.map(([id]) => current.find((row) => row.id === id)),
  find: async (query) => {
    asked.push(query)
    const begun = (row: Row) =>
      row['id'] === query.prefix?.[0] && (row['from'] as bigint) <= (query.upper!.value as bigint)
    return earlier.filter(begun).reverse().slice(0, query.limit)
  },
})
const memos = versionsOf(schema, 'memos')
const keys = [[1n], [2n], [3n], [4n], [5n]] as const
const select = ['from', 'until', 'memo'] as const

it('gives what was in force at an instant, without the end that nobody knew then', async () => {
  const found = await memos.get(rows, keys, 25n, select)
  expect(found.map((row) => row && [row.memo, row.until])).toEqual([
    ['1 at 20', null],
    ['2 at 5', null],
    undefined,
    undefined,
    undefined,
  ])
  expect(asked[0]).toMatchObject({ collection: 'memoVersions', index: ['id', 'from'], prefix: [1n], limit: 1 })
})

it('reads nothing more where the newest are of before the instant', async () => {
  asked.length = 0
  const found = await memos.get(rows, keys, 50n, select)
  expect(found.map((row) => row?.memo)).toEqual(['1 at 30', '2 at 5', '3 at 40', undefined, undefined])
  expect(asked).toEqual([])
})

it('gives the newest that had begun, whether or not it had ended', async () => {
  expect(await memos.begunAt(rows, [1n], 12n, select)).toMatchObject({ memo: '1 at 10', until: 20n })
  expect(await memos.begunAt(rows, [4n], 25n, select)).toMatchObject({ memo: '4 at 5', until: 15n })
  expect(await memos.begunAt(rows, [3n], 25n, select)).toBeUndefined()
})

it('does not compile where it could not say what was in force', async () => {
  // @ts-expect-error: has no versions
  versionsOf(schema, 'memoVersions')
  // @ts-expect-error: nothing says when they begin and end
  await memos.get(rows, keys, 25n, ['memo'])
  // @ts-expect-error: the key is a bigint
  await memos.get(rows, [['1']], 25n, select)
  expect(asked.length).toBeGreaterThan(0)
})
