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

describe('read models', () => {
  const versioned = keptProjections.flatMap(({ schema: { name, collections } }) =>
    Object.entries(collections).flatMap(([collection, current]) =>
      current.kind === 'versioned'
        ? [{ what: `${name}/${collection}`, current, earlier: collections[versionsName(collection)] }]
        : [],
    ),
  )

  it.each(versioned)('$what has times, and a place for what was before', ({ current, earlier }) => {
    expect(earlier).toMatchObject({ kind: 'facts', time: 'until', key: [...current.key, 'from'] })
    expect(current.fields).toMatchObject({ ...earlier!.fields, from: 'int64', until: 'int64?' })
  })
})
