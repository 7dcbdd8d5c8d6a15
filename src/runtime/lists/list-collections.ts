import type { CollectionSchema } from '#src/ports/read-store.ts'

/**
 * Entries of many terms together: a bucket of a run, in the order they were added. `place` is what `placeOf` composes of
 * level, slot and bucket: a single integer, since SQLite packs rows of some 2 KB only into tables that have such a key. A slot
 * holds one run after the other, long after the last reader of the earlier one, so nothing is ever deleted.
 */
const buckets = {
  fields: { place: 'int64', run: 'int32', records: 'bytes' },
  key: ['place'],
  kind: 'facts',
  untimed: 'entries have their times inside: lists are read up to a bound',
} as const satisfies CollectionSchema

/** Entries of one term that has many, some 2 KB a row, never moved again; `from` is the first one's time. */
const blocks = {
  fields: { kind: 'int32', term: 'int64', from: 'int64', entries: 'bytes' },
  key: ['kind', 'term', 'from'],
  shardBy: 'term',
  kind: 'facts',
  untimed: 'entries have their times inside: lists are read up to a bound',
} as const satisfies CollectionSchema

/** Which of 256 neighbouring terms occur, a bit each. */
const terms = {
  fields: { kind: 'int32', group: 'int64', present: 'bytes' },
  key: ['kind', 'group'],
  shardBy: 'group',
  kind: 'facts',
  untimed: 'entries have their times inside: lists are read up to a bound',
} as const satisfies CollectionSchema

export type ListCollections<N extends string> = { readonly [K in `${N}Buckets`]: typeof buckets } & {
  readonly [K in `${N}Blocks`]: typeof blocks
} & { readonly [K in `${N}Terms`]: typeof terms }

/** The collections that a list is kept in. */
export function listCollections<const N extends string>(name: N): ListCollections<N> {
  const collections = { [`${name}Buckets`]: buckets, [`${name}Blocks`]: blocks, [`${name}Terms`]: terms }
  // Computed names of template types are not followed by the compiler.
  return collections as unknown as ListCollections<N>
}
