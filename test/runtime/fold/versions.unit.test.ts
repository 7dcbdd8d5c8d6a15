import { describe, expect, it } from 'vitest'
import { keptProjections } from '#projections/index.ts'
import { type Row, versionsName } from '#src/ports/read-store.ts'
import { FoldRows } from '#src/runtime/fold/fold-rows.ts'
import { defineSchema } from '#src/runtime/schema/define-schema.ts'

const fields = { id: 'int64', from: 'int64', until: 'int64?', memo: 'text' } as const
const schema = defineSchema({
  name: 'memos',
  version: 1,
  collections: { memos: { kind: 'versioned', fields, key: ['id'] } },
})

/** Puts rows, an event each. Returns the earlier versions that this leaves. */
function versionsAfter(...rows: readonly Row[]): Row[] {
  const fold = new FoldRows({ schema, loadSync: () => undefined })
  const versions: Row[] = []
  for (const row of rows) {
    fold.put('memos', row)
    fold.keep((_collection, version) => versions.push(version))
  }
  return versions
}

const memo = (from: bigint, text: string, until: bigint | null = null) => ({ id: 1n, from, until, memo: text })

describe('a version that is replaced', () => {
  it('ends where the next one begins', () => {
    expect(versionsAfter(memo(10n, 'a'), memo(20n, 'b'), memo(30n, 'c'))).toEqual([
      memo(10n, 'a', 20n),
      memo(20n, 'b', 30n),
    ])
  })

  it('leaves no trace where both begin at the same time, and what comes late replaces nothing earlier', () => {
    expect(versionsAfter(memo(10n, 'a'), memo(10n, 'b'), memo(5n, 'c'))).toEqual([])
  })

  it('keeps the end that it was stated with', () => {
    expect(versionsAfter(memo(10n, 'a', 15n), memo(20n, 'b'))).toEqual([memo(10n, 'a', 15n)])
  })

  it('is not there where the event is given up', () => {
    const fold = new FoldRows({ schema, loadSync: () => undefined })
    fold.put('memos', memo(10n, 'a'))
    fold.keep(() => {})
    fold.put('memos', memo(20n, 'b'))
    fold.undo()
    const kept: Row[] = []
    fold.keep((_collection, version) => kept.push(version))
    expect(kept).toEqual([])
    expect(fold.get('memos', 1n)).toEqual(memo(10n, 'a'))
  })
})

const restatedFields = { ...fields, previous: 'int64?', note: 'text?' } as const
const restatedSchema = defineSchema({
  name: 'restated',
  version: 1,
  collections: {
    memos: {
      kind: 'versioned',
      restated: true,
      newestOnly: ['note'],
      foundBy: ['memo'],
      fields: restatedFields,
      key: ['id'],
      indexes: [['memo', 'id']],
    },
  },
})

/** Puts rows that may be about the past, an event each. Returns what there is in the end. */
function restatedAfter(...rows: readonly Row[]) {
  const fold = new FoldRows({ schema: restatedSchema, loadSync: () => undefined })
  const kept: Record<string, Row[]> = { memos: [], memoVersions: [], memoMovesByMemo: [] }
  for (const row of rows) {
    fold.put('memos', { previous: null, note: 'shown', ...row })
    fold.keep((collection, fact) => kept[collection]!.push(fact))
  }
  fold.changes(
    ({ collection, row }) => kept[collection]!.push(row),
    () => {},
  )
  const byFrom = kept['memoVersions']!.sort((a, b) => Number((a['from'] as bigint) - (b['from'] as bigint)))
  return { newest: kept['memos']![0], earlier: byFrom, moves: kept['memoMovesByMemo']! }
}

describe('versions that may be about the past', () => {
  const version = (from: bigint, text: string, until: bigint, previous: bigint | null) => ({
    ...memo(from, text, until),
    previous,
  })

  it('know the one before, which has only what earlier ones have', () => {
    const { newest, earlier } = restatedAfter(memo(10n, 'a'), memo(20n, 'b'), memo(20n, 'c'), memo(30n, 'd'))
    expect(newest).toEqual({ ...memo(30n, 'd'), previous: 20n, note: 'shown' })
    expect(earlier).toEqual([version(10n, 'a', 20n, null), version(20n, 'c', 30n, 10n)])
  })

  it('take the place of all that begins with them or later, and end what was then', () => {
    const { newest, earlier } = restatedAfter(memo(10n, 'a'), memo(20n, 'b'), memo(30n, 'c'), memo(15n, 'd'))
    expect(newest).toEqual({ ...memo(15n, 'd'), previous: 10n, note: 'shown' })
    expect(earlier).toEqual([version(10n, 'a', 15n, null)])
    expect(restatedAfter(memo(10n, 'a'), memo(20n, 'b'), memo(10n, 'c'))).toMatchObject({
      newest: { memo: 'c', previous: null },
      earlier: [],
    })
  })

  it('keep the ends that they were stated with, and leave gaps', () => {
    const { newest, earlier } = restatedAfter(memo(10n, 'a', 12n), memo(20n, 'b', 25n), memo(30n, 'c', 35n))
    expect(newest).toEqual({ ...memo(30n, 'c', 35n), previous: 20n, note: 'shown' })
    expect(earlier).toEqual([version(10n, 'a', 12n, null), version(20n, 'b', 25n, 10n)])
  })

  it('may say that there was nothing any more, which ends what was before', () => {
    const past = [memo(10n, 'a'), memo(20n, 'b'), memo(30n, 'c')]
    const { newest, earlier } = restatedAfter(...past, memo(25n, 'none', 25n))
    expect(newest).toEqual({ ...memo(20n, 'b', 25n), previous: 10n, note: null })
    expect(earlier).toEqual([version(10n, 'a', 20n, null)])
    expect(restatedAfter(memo(10n, 'a'), memo(10n, 'none', 10n))).toMatchObject({ newest: undefined, earlier: [] })
  })

  it('leave a row where a value by which they are found has changed, whether or not they begin then', () => {
    const { moves } = restatedAfter(memo(10n, 'a'), memo(20n, 'a'), memo(20n, 'b'), memo(30n, 'b'), memo(40n, 'c'))
    expect(moves).toEqual([
      { memo: 'a', moved: 20n, id: 1n },
      { memo: 'b', moved: 40n, id: 1n },
    ])
  })
})

describe('read models', () => {
  const versioned = keptProjections.flatMap(({ schema: { name, collections } }) =>
    Object.entries(collections).flatMap(([collection, current]) =>
      current.kind === 'versioned'
        ? [{ what: `${name}/${collection}`, current, earlier: collections[versionsName(collection)] }]
        : [],
    ),
  )

  it.each(versioned)('$what has times, and a place for what was before', ({ current, earlier }) => {
    const kind = current.restated ? 'state' : 'facts'
    expect(earlier).toMatchObject({ kind, time: 'until', key: [...current.key, 'from'] })
    expect(current.fields).toMatchObject({ ...earlier!.fields, from: 'int64', until: 'int64?' })
  })
})
