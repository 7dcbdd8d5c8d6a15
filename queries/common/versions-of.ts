import { newestAt } from '#queries/common/newest-at.ts'
import {
  type CollectionName,
  type FieldName,
  type KeyOf,
  type ProjectionSchema,
  plainRows,
  type Row,
  type RowOf,
  type Rows,
  versionsName,
} from '#src/ports/read-store.ts'

/** When a version is in force: from `from`, inclusive, until `until`, exclusive; null: on. Times are ns. */
type Term = 'from' | 'until'

/** The collections of a schema whose rows are versions. */
type Versioned<S extends ProjectionSchema> = {
  [N in CollectionName<S>]: S['collections'][N] extends { readonly kind: 'versioned' } ? N : never
}[CollectionName<S>]

/** Fields of a version, with those that say when it is in force. */
export type VersionFields<F> = readonly F[] & (Term extends F ? unknown : never)

type Version<S extends ProjectionSchema, N extends CollectionName<S>, F extends FieldName<S, N>> =
  | Pick<RowOf<S, N>, F>
  | undefined

/** A collection with versions, as it was at an instant: state moves on while a request runs. */
export interface Versions<S extends ProjectionSchema, N extends CollectionName<S>> {
  /** What was in force, by key, as it was then known: without an end. */
  get<F extends FieldName<S, N>>(
    rows: Rows<S>,
    keys: readonly KeyOf<S, N>[],
    time: bigint,
    select: VersionFields<F>,
  ): Promise<Version<S, N, F>[]>
  /** The same of rows that were read already, with their keys, as the newest that there are. */
  atInstant<F extends FieldName<S, N>>(
    rows: Rows<S>,
    newest: readonly Version<S, N, F>[],
    time: bigint,
    select: VersionFields<F>,
  ): Promise<Version<S, N, F>[]>
  /**
   * The newest that had begun, with its end. As established clients know it, whoever asks about the past gets it, whether or not
   * it had ended.
   */
  begunAt<F extends FieldName<S, N>>(
    rows: Rows<S>,
    key: KeyOf<S, N>,
    time: bigint,
    select: VersionFields<F>,
  ): Promise<Version<S, N, F>>
}

export function versionsOf<S extends ProjectionSchema, N extends Versioned<S>>(
  { collections }: S,
  collection: N,
): Versions<S, N> {
  const { key } = collections[collection]!
  const versions = versionsName(collection)
  const index = [...key, 'from']
  type Select = readonly string[]

  const begun = async (own: Rows<S>, newest: Row, time: bigint, select: Select, known?: Row[string][]) => {
    if ((newest['from'] as bigint) <= time) return newest
    const prefix = known ?? key.map((field) => newest[field]!)
    const [row] = await plainRows(own).find({ collection: versions, index, prefix, ...newestAt(time), select })
    return row
  }
  // Nearly always all of them are of before the time, and nothing is waited for.
  const atInstant = async (
    own: Rows<S>,
    newest: readonly (Row | undefined)[],
    time: bigint,
    select: Select,
    keys: readonly (readonly unknown[])[] = [],
  ) => {
    if (!newest.some((row) => row !== undefined && (row['from'] as bigint) > time))
      return newest.map((row) => inForce(row, time))
    const found = newest.map((row, at) => row && begun(own, row, time, select, keys[at] as Row[string][] | undefined))
    return (await Promise.all(found)).map((row) => inForce(row, time))
  }
  const plain = {
    atInstant: (own: Rows<S>, newest: readonly (Row | undefined)[], time: bigint, select: Select) =>
      atInstant(own, newest, time, select),
    get: async (own: Rows<S>, keys: readonly Row[string][][], time: bigint, select: Select) =>
      atInstant(own, await plainRows(own).get(collection, keys, select), time, select, keys),
    begunAt: async (own: Rows<S>, known: Row[string][], time: bigint, select: Select) => {
      const [newest] = await plainRows(own).get(collection, [known], select)
      return newest && begun(own, newest, time, select, known)
    },
  }
  // What a store returns is as the schema says.
  return plain as unknown as Versions<S, N>
}

function inForce(version: Row | undefined, time: bigint): Row | undefined {
  if (version === undefined) return undefined
  const until = version['until'] as bigint | null
  if (until === null) return version
  return until <= time ? undefined : { ...version, until: null }
}
