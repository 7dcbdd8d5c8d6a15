import { describe, expect, it } from 'vitest'
import { keptProjections } from '#projections/index.ts'
import type { CollectionSchema, RowOf } from '#src/ports/read-store.ts'
import { versionsName } from '#src/ports/read-store.ts'
import { defineSchema } from '#src/runtime/schema/define-schema.ts'

const fields = { id: 'int64', from: 'int64', until: 'int64?', memo: 'text' } as const
const memos = { kind: 'versioned', fields, key: ['id'], indexes: [['memo', 'id']] } as const
const changes = { kind: 'facts', time: 'from', fields, key: ['from'] } as const
const declared = { name: 'memos', version: 1 } as const

describe('a schema', () => {
  it('has the collections that are implied beside those that are declared', () => {
    const entries = { of: 'changes', payloadBytes: 0, buckets: 16 } as const
    const schema = defineSchema({ ...declared, collections: { memos, changes }, lists: { entries } })
    const { memoVersions } = schema.collections
    expect(memoVersions).toEqual({ kind: 'facts', time: 'until', fields, key: ['id', 'from'] })
    const others = ['entriesBlocks', 'entriesBuckets', 'entriesTerms', 'memoVersions']
    expect(Object.keys(schema.collections).toSorted()).toEqual(['changes', ...others, 'memos'].toSorted())
    expect(schema).toMatchObject({ ...declared, lists: { entries }, collections: { memos, changes } })
    const row: RowOf<typeof schema, 'memoVersions'> = { id: 1n, from: 2n, until: null, memo: '' }
    expect(row).toBeDefined()
  })

  it('names the earlier ones by one of them', () => {
    const names: ['nodeVersions', 'entityVersions', 'stockVersions'] = [
      versionsName('nodes'),
      versionsName('entities'),
      versionsName('stock'),
    ]
    expect(names).toEqual(['nodeVersions', 'entityVersions', 'stockVersions'])
  })

  it('does not compile where it says of a collection what that has not', () => {
    const define = () => {
      // @ts-expect-error: no kind
      defineSchema({ ...declared, collections: { memos: { fields, key: ['id'] } } })
      // @ts-expect-error: neither a time nor a reason
      defineSchema({ ...declared, collections: { changes: { kind: 'facts', fields, key: ['id'] } } })
      // @ts-expect-error: a time, and a reason why there is none
      defineSchema({ ...declared, collections: { changes: { ...changes, untimed: 'none' } } })
      // @ts-expect-error: no such field
      defineSchema({ ...declared, collections: { changes: { ...changes, time: 'time' } } })
      // @ts-expect-error: a text is no time
      defineSchema({ ...declared, collections: { changes: { ...changes, time: 'memo' } } })
      // @ts-expect-error: nothing counts from a time that may be absent
      defineSchema({ ...declared, collections: { changes: { ...changes, time: 'until' } } })
      // @ts-expect-error: state counts from no time
      defineSchema({ ...declared, collections: { memos: { ...changes, kind: 'state' } } })
      const endless = { ...memos, fields: { id: 'int64', from: 'int64', memo: 'text' } } as const
      // @ts-expect-error: a version has an end
      defineSchema({ ...declared, collections: { memos: endless } })
      // @ts-expect-error: no such field in the key
      defineSchema({ ...declared, collections: { memos: { ...memos, key: ['account'] } } })
      // @ts-expect-error: no such field in an index
      defineSchema({ ...declared, collections: { memos: { ...memos, indexes: [['account', 'id']] } } })
      const lists = { entries: { of: 'messages', payloadBytes: 0, buckets: 16 } } as const
      // @ts-expect-error: a list of a collection that is not there
      defineSchema({ ...declared, collections: { changes }, lists })
      // @ts-expect-error: a list of nothing
      defineSchema({ ...declared, collections: { changes }, lists: { entries: { payloadBytes: 0, buckets: 16 } } })
    }
    expect(define).toBeDefined()
  })
})

describe('the read models', () => {
  const all = keptProjections.flatMap(({ schema }) =>
    Object.entries(schema.collections).map(([name, collection]) => ({
      what: `${schema.name}@${schema.version}/${name}`,
      collection: collection as CollectionSchema,
      orderedBy: schema.orderedBy,
    })),
  )

  it.each(all.filter(({ collection }) => collection.kind === 'facts'))(
    '$what counts from a time, or says why not',
    ({ collection, orderedBy }) => {
      const { fields, time, untimed } = collection as CollectionSchema & { time?: string; untimed?: string }
      if (time === undefined) expect(untimed).toMatch(/^\w.{20,}[^.]$/)
      else expect([untimed, orderedBy, fields[time]?.replace('?', '')]).toEqual([undefined, undefined, 'int64'])
    },
  )

  it.each(all.filter(({ orderedBy }) => orderedBy === 'position'))(
    '$what has no time, since positions order it',
    ({ collection }) => {
      expect(collection).not.toHaveProperty('time')
      expect(collection.kind).not.toBe('versioned')
    },
  )
})
