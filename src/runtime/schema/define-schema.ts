import {
  type CollectionSchema,
  type FieldKind,
  movesName,
  type ProjectionSchema,
  type ValueKind,
  type VersionedSchema,
  type VersionsName,
  valueKind,
  versionsName,
} from '#src/ports/read-store.ts'
import { type ListCollections, listCollections } from '#src/runtime/lists/list-collections.ts'

type Collections = ProjectionSchema['collections']
type Lists = NonNullable<ProjectionSchema['lists']>
type Fields = Readonly<Record<string, FieldKind>>
type FieldsOf<F extends Fields, K extends FieldKind = FieldKind> = {
  [N in keyof F]: F[N] extends K ? N : never
}[keyof F]

/** What a collection may say, given its fields. */
type Checked<C extends CollectionSchema> = {
  readonly key: readonly FieldsOf<C['fields']>[]
  readonly indexes?: readonly (readonly FieldsOf<C['fields']>[])[]
  readonly shardBy?: C['key'][number]
} & (C extends { readonly time: string } ? { readonly time: FieldsOf<C['fields'], 'int64'> } : unknown) &
  (C extends { readonly kind: 'versioned' }
    ? {
        readonly fields: { readonly from: 'int64'; readonly until: 'int64?' }
        readonly newestOnly?: readonly FieldsOf<C['fields'], `${ValueKind}?`>[]
        readonly foundBy?: readonly FieldsOf<C['fields'], Exclude<FieldKind, 'bytes' | 'bytes?'>>[]
      }
    : unknown) &
  (C extends { readonly restated: true } ? { readonly fields: { readonly previous: 'int64?' } } : unknown)

type CheckedSchema<S extends ProjectionSchema> = {
  readonly collections: { readonly [N in keyof S['collections']]: Checked<S['collections'][N]> }
  readonly lists?: { readonly [N in keyof NonNullable<S['lists']>]: { readonly of: keyof S['collections'] } }
}

/** The collection of the versions before those of a versioned one: each is an earlier one from its end on. */
type Earlier<C extends CollectionSchema> = {
  readonly kind: C extends { readonly restated: true } ? 'state' : 'facts'
  readonly time: 'until'
  readonly fields: C extends { readonly newestOnly: readonly (infer F extends string)[] }
    ? Omit<C['fields'], F>
    : C['fields']
  readonly key: readonly [...C['key'], 'from']
}

/** The collections that others imply. */
type Implied<C extends Collections> = {
  readonly [N in keyof C & string as C[N] extends { readonly kind: 'versioned' } ? VersionsName<N> : never]: Earlier<
    C[N]
  >
}

type OfLists<N> = N extends string ? ListCollections<N> : never
type Both<U> = (U extends unknown ? (each: U) => void : never) extends (all: infer A) => void ? A : never
type ImpliedByLists<L extends Lists> = keyof L extends never ? unknown : Both<OfLists<keyof L>>

/** What is kept for what a schema declares. */
export type Defined<S extends ProjectionSchema> = Omit<S, 'collections'> & {
  readonly collections: S['collections'] &
    Implied<S['collections']> &
    (S extends { readonly lists: infer L extends Lists } ? ImpliedByLists<L> : unknown)
}

/**
 * What a read model keeps: the collections that it declares, those of earlier versions and those that its lists are kept in. Fields that
 * keys, indexes and times name exist, as do the collections that lists point into: else it does not compile.
 */
export function defineSchema<const S extends ProjectionSchema>(schema: S & CheckedSchema<S>): Defined<S> {
  const { collections, lists = {} }: ProjectionSchema = schema
  const earlier = Object.entries(collections).flatMap(([name, each]) =>
    each.kind === 'versioned' ? [[versionsName(name), earlierOf(each)] as const, ...movesOf(name, each)] : [],
  )
  const ofLists = Object.keys(lists).map((name) => listCollections(name))
  const all = Object.assign({}, collections, Object.fromEntries(earlier), ...ofLists)
  // Computed names of template types are not followed by the compiler.
  return { ...schema, collections: all } as unknown as Defined<S>
}

function earlierOf({ fields, key, restated, newestOnly = [] }: VersionedSchema): CollectionSchema {
  const kept = Object.entries(fields).filter(([field]) => !newestOnly.includes(field))
  const shape = { time: 'until', fields: Object.fromEntries(kept), key: [...key, 'from'] } as const
  return restated ? { kind: 'state', ...shape } : { kind: 'facts', ...shape }
}

/** What left a value of a field, by the time when it did. Nobody reads them but the runtime. */
function movesOf(name: string, { fields, key, foundBy = [] }: VersionedSchema): [string, CollectionSchema][] {
  const ofKey = Object.fromEntries(key.map((field) => [field, fields[field]!]))
  return foundBy.map((field) => [
    movesName(name, field),
    {
      kind: 'facts',
      time: 'moved',
      fields: { [field]: valueKind(fields[field]!), moved: 'int64', ...ofKey },
      key: [field, 'moved', ...key],
    },
  ])
}
