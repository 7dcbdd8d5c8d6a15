import { beforeEach, describe, expect, it } from 'vitest'
import type { Row, RowQuery } from '#src/ports/read-store.ts'
import { defineSchema } from '#src/runtime/schema/define-schema.ts'
import { rowsAt } from '#src/runtime/serve/rows-at.ts'
import { rowReaderFake } from '#test/queries/row-reader-fake.ts'

const memoFields = { id: 'int64', from: 'int64', until: 'int64?', memo: 'text' } as const
const listed = { owner: 'int64', id: 'int64', list: 'int32', from: 'int64', until: 'int64?' } as const
const schema = defineSchema({
  name: 'memos',
  version: 1,
  collections: {
    memos: { kind: 'versioned', fields: memoFields, key: ['id'] },
    listed: {
      kind: 'versioned',
      fields: listed,
      key: ['owner', 'id'],
      indexes: [
        ['owner', 'list', 'id'],
        ['owner', 'from'],
      ],
    },
    keyed: {
      kind: 'versioned',
      newestOnly: ['note'],
      foundBy: ['word'],
      fields: { id: 'int64', from: 'int64', until: 'int64?', word: 'text', note: 'text?' },
      key: ['id'],
      indexes: [['word', 'id']],
    },
    sent: {
      kind: 'facts',
      time: 'time',
      fields: { time: 'int64', id: 'int64', text: 'text' },
      key: ['time'],
      indexes: [['id', 'time'], ['text']],
    },
    named: { kind: 'facts', time: 'since', fields: { id: 'int64', since: 'int64' }, key: ['id'] },
    packed: { kind: 'facts', untimed: 'who reads them cuts them', fields: { first: 'int64' }, key: ['first'] },
    totals: { kind: 'state', fields: { id: 'int64', changed: 'int64' }, key: ['id'] },
  },
})

const memo = (id: bigint, from: bigint, until: bigint | null) => ({ id, from, until, memo: `${id} at ${from}` })
const place = (id: bigint, list: number, from: bigint, until: bigint | null = null) => ({
  owner: 1n,
  id,
  list,
  from,
  until,
})

/** The first has changed twice, the second never, the third came late, and the fourth was stated with an end. */
const collections: Record<string, Row[]> = {
  memos: [memo(1n, 30n, null), memo(2n, 5n, null), memo(3n, 40n, null), memo(4n, 5n, 15n)],
  memoVersions: [memo(1n, 10n, 20n), memo(1n, 20n, 30n)],
  // Later than 25, the first left list 1, the second came to it, and the fourth is as it was.
  listed: [place(1n, 2, 30n), place(2n, 1, 31n), place(3n, 2, 5n), place(4n, 1, 6n)],
  listedVersions: [place(1n, 1, 5n, 30n), place(2n, 2, 5n, 31n)],
  // Later than 25, the first turned from red to blue.
  keyed: [
    { id: 1n, from: 30n, until: null, word: 'blue', note: 'new' },
    { id: 2n, from: 5n, until: null, word: 'red', note: 'kept' },
  ],
  keyedVersions: [{ id: 1n, from: 5n, until: 30n, word: 'red' }],
  keyedMovesByWord: [{ word: 'red', moved: 30n, id: 1n }],
  sent: [10n, 20n, 30n, 40n].map((time) => ({ time, id: 1n, text: `at ${100n - time}` })),
  named: [
    { id: 1n, since: 10n },
    { id: 2n, since: 30n },
  ],
  packed: [{ first: 40n }],
  totals: [{ id: 1n, changed: 40n }],
}
const keyFields = Object.fromEntries(Object.entries(schema.collections).map(([name, { key }]) => [name, key]))
let reader = rowReaderFake(collections, { position: 1, time: 50n }, keyFields)
let rows = rowsAt(schema, reader, 25n)
beforeEach(() => {
  reader = rowReaderFake(collections, { position: 1, time: 50n }, keyFields)
  rows = rowsAt(schema, reader, 25n)
})
const ids = [[1n], [2n], [3n], [4n], [5n]] as const

describe('versions at an instant', () => {
  it('are those that were in force, without the end that nobody knew then', async () => {
    const found = await rows.get('memos', ids, ['memo', 'until'])
    expect(found.map((row) => row && [row.memo, row.until])).toEqual([
      ['1 at 20', null],
      ['2 at 5', null],
      undefined,
      undefined,
      undefined,
    ])
  })

  it('take nothing more to read where the newest are of before it', async () => {
    const found = await rowsAt(schema, reader, 50n).get('memos', ids, ['memo'])
    expect(found.map((row) => row?.memo)).toEqual(['1 at 30', '2 at 5', '3 at 40', undefined, undefined])
    expect(reader.calls).toBe(1)
  })

  it('fill a page by their key, in either order, whatever is left out', async () => {
    const page = { collection: 'memos', index: ['id'], select: ['memo'] } as const
    const first = await rows.find({ ...page, limit: 2 })
    expect(first.map((row) => row.memo)).toEqual(['1 at 20', '2 at 5'])
    const last = await rows.find({ ...page, limit: 2, descending: true })
    expect(last.map((row) => row.memo)).toEqual(['2 at 5', '1 at 20'])
    expect(await rows.find({ ...page, limit: 2, lower: { value: 3n, inclusive: true } })).toEqual([])
  })

  it('stand where they were, as far as an index tells of changes', async () => {
    const page = { collection: 'listed', index: ['owner', 'list', 'id'], limit: 10, select: ['id'] } as const
    const idsOf = async (list: number) => (await rows.find({ ...page, prefix: [1n, list] })).map(({ id }) => id)
    expect([await idsOf(1), await idsOf(2)]).toEqual([
      [1n, 4n],
      [2n, 3n],
    ])
    const between = (id: bigint) => ({ ...page, prefix: [1n, 1], lower: from(id), upper: from(id) }) as const
    const each = await rows.findEach([between(4n), between(2n), between(1n)].toReversed())
    expect(each.map(({ id }) => id)).toEqual([1n, 4n])
    expect((await rows.findEach([{ ...between(1n), limit: 1 }, between(4n)])).map(({ id }) => id)).toEqual([1n])
  })

  it('are there once where they change between two reads', async () => {
    const before = rowReaderFake(
      { ...collections, listed: [place(1n, 1, 5n), place(4n, 1, 6n)], listedVersions: [] },
      { position: 1, time: 25n },
      keyFields,
    )
    let reads = 0
    const moving = { get: reader.get, find: (query: RowQuery) => (reads++ === 0 ? before : reader).find(query) }
    const found = await rowsAt(schema, moving, 25n).find({
      collection: 'listed',
      index: ['owner', 'list', 'id'],
      prefix: [1n, 1],
      limit: 10,
      select: ['id'],
    })
    expect(found.map(({ id }) => id)).toEqual([1n, 4n])
  })

  it('stand where they were however many have changed since', async () => {
    const many = Array.from({ length: 1_300 }, (_, at) => BigInt(at + 1))
    const moved = rowReaderFake(
      {
        listed: many.map((id) => place(id, 2, 30n + id)),
        listedVersions: many.map((id) => place(id, 1, 5n, 30n + id)),
      },
      { position: 1, time: 50_000n },
      keyFields,
    )
    const page = { collection: 'listed', index: ['owner', 'list', 'id'], limit: 3, select: ['id'] } as const
    const last = await rowsAt(schema, moved, 25n).find({ ...page, prefix: [1n, 1], descending: true })
    expect(last.map(({ id }) => id)).toEqual([1_300n, 1_299n, 1_298n])
    expect(await rowsAt(schema, moved, 25n).find({ ...page, prefix: [1n, 2] })).toEqual([])
  })

  it('take nothing more to read where a reader knows that nothing in this turn is newer', async () => {
    const page = { collection: 'listed', index: ['owner', 'list', 'id'], limit: 10, select: ['id'] } as const
    const known = (newest: bigint | undefined) => ({ get: reader.get, find: reader.find, newestTime: () => newest })
    const read = async (newest: bigint | undefined, time: bigint) => {
      const at = rowsAt(schema, known(newest), time)
      const before = reader.calls
      const found = await at.find({ ...page, prefix: [1n, 2] })
      return { ids: found.map(({ id }) => id), reads: reader.calls - before, isNewest: at.isNewest }
    }
    expect(await read(50n, 50n)).toEqual({ ids: [1n, 3n], reads: 1, isNewest: true })
    expect(await read(undefined, 50n)).toEqual({ ids: [1n, 3n], reads: 2, isNewest: false })
    expect(await read(50n, 25n)).toMatchObject({ ids: [2n, 3n], isNewest: false })
  })

  it('are given with their ends as the newest that had begun, as far as these were known', async () => {
    const begun = async (at: Pick<typeof rows, 'begun'>) =>
      (await at.begun('memos', ids, ['memo', 'until'])).map((row) => row && [row.memo, row.until])
    const [second, third, fourth] = [['2 at 5', null], undefined, ['4 at 5', 15n]]
    expect(await begun(rows)).toEqual([['1 at 20', null], second, third, fourth, undefined])
    expect(await begun(rowsAt(schema, reader, 35n).at(25n))).toEqual([
      ['1 at 20', 30n],
      second,
      third,
      fourth,
      undefined,
    ])
  })

  it('are found by what they had, though they have something else by now', async () => {
    const page = { collection: 'keyed', index: ['word', 'id'], limit: 10, select: ['id', 'note'] } as const
    const found = async (word: string, time: bigint) =>
      (await rowsAt(schema, reader, time).find({ ...page, prefix: [word] })).map(({ id, note }) => [id, note])
    expect(await found('red', 25n)).toEqual([
      [1n, null],
      [2n, 'kept'],
    ])
    expect(await found('blue', 25n)).toEqual([])
    expect(await found('red', 30n)).toEqual([[2n, 'kept']])
    expect(await found('blue', 30n)).toEqual([[1n, 'new']])
    const descending = await rows.find({ ...page, prefix: ['red'], descending: true, limit: 1 })
    expect(descending.map(({ id }) => id)).toEqual([2n])
  })
})

describe('facts at an instant', () => {
  it('are bounded by the index where that has their time, and looked at where it has not', async () => {
    const page = { collection: 'sent', select: ['id'], limit: 2, descending: true } as const
    const timesOf = (found: readonly Row[]) => found.map(({ time }) => time)
    expect(timesOf(await rows.find({ ...page, index: ['time'] }))).toEqual([20n, 10n])
    expect(timesOf(await rows.find({ ...page, index: ['id', 'time'], prefix: [1n] }))).toEqual([20n, 10n])
    expect(reader.calls).toBe(2)
    const byText = await rows.find({ ...page, index: ['text'], descending: false })
    expect(timesOf(byText)).toEqual([20n, 10n])
    expect(await rows.find({ ...page, index: ['time'], prefix: [30n] })).toEqual([])
  })

  it('are not there where they count later, and such as say so are not asked for', async () => {
    expect(await rows.get('named', [[1n], [2n]], ['id'])).toEqual([{ id: 1n, since: 10n }, undefined])
    const beyond = 2n ** 70n
    expect(await rows.get('sent', [[beyond], [20n], [30n]], ['time'])).toMatchObject([
      undefined,
      { time: 20n },
      undefined,
    ])
    reader.calls = 0
    expect(await rows.get('sent', [[beyond]], ['time'])).toEqual([undefined])
    expect(
      await rows.find({ collection: 'sent', index: ['time'], lower: from(beyond), limit: 1, select: ['id'] }),
    ).toEqual([])
    expect(reader.calls).toBe(0)
  })
})

describe('an instant', () => {
  it('of the past is one of its own, and none is later than that of the request', async () => {
    expect((await rows.at(12n).get('memos', [[1n]], ['memo']))[0]?.memo).toBe('1 at 10')
    expect(rows.at(60n)).toBe(rows)
    expect(await rows.newest.get('memos', [[3n]], ['memo'])).toMatchObject([{ memo: '3 at 40' }])
  })

  it('does not bound state, nor facts without a time, and does not compile for them', async () => {
    expect(await rows.get('totals', [[1n]], ['changed'])).toHaveLength(1)
    expect(await rows.find({ collection: 'packed', index: ['first'], limit: 1, select: ['first'] })).toHaveLength(1)
    // @ts-expect-error: nothing says what the state was
    await rows.at(12n).get('totals', [[1n]], ['changed'])
    // @ts-expect-error: nothing says from when these count
    await rows.at(12n).find({ collection: 'packed', index: ['first'], limit: 1, select: ['first'] })
    // @ts-expect-error: facts do not begin and end
    await rows.begun('sent', [[1n]], ['id']).catch(() => undefined)
    // @ts-expect-error: the key is a bigint
    await rows.get('memos', [['1']], ['memo'])
  })
})

function from(value: bigint) {
  return { value, inclusive: true }
}
