import type { Position } from '#src/ports/message-log.ts'

/** What a field holds; with `?` it may be absent, which is null. int64 is bigint, int32 number, text string, bytes Uint8Array. */
export type ValueKind = 'int64' | 'int32' | 'text' | 'bytes'
export type FieldKind = ValueKind | `${ValueKind}?`
export type Value = bigint | number | string | Uint8Array | null
export type Row = { readonly [field: string]: Value }

/** A field's kind, whether or not it may be absent. */
export function valueKind(kind: FieldKind): ValueKind {
  return (kind.endsWith('?') ? kind.slice(0, -1) : kind) as ValueKind
}

interface Shape {
  readonly fields: Readonly<Record<string, FieldKind>>
  /** Fields of the primary key, in order; never null. */
  readonly key: readonly string[]
  /** Further ordered indexes. Each is a list of fields; ties are broken by the key. */
  readonly indexes?: readonly (readonly string[])[]
  /** Field by which a sharded deployment distributes rows; the first key field unless given. */
  readonly shardBy?: string
}

/** What only facts say. */
interface Untimed {
  readonly time?: never
  readonly untimed?: never
}

/**
 * Rows that are added and never change: folding again from a checkpoint writes the same ones. They need no journal in an engine
 * without transactions, and a fold can't read them. A request gets those that count at its instant.
 */
export type FactsSchema = Shape & { readonly kind: 'facts' } & (
    | {
        /** The field (int64, ns) that tells from when each counts. */
        readonly time: string
        readonly untimed?: never
      }
    | {
        /** Why no field tells it, and who checks instead. */
        readonly untimed: string
        readonly time?: never
      }
  )

/**
 * One row of each key, in force from its `from` (inclusive, ns) until its `until` (exclusive; null while it is in force). The runtime
 * puts the row that another takes the place of among the earlier ones, facts of a collection of their own, which `versionsName` names
 * and `defineSchema` adds. What is stated of a time that is over has an end from the beginning.
 */
export interface VersionedSchema extends Shape, Untimed {
  readonly kind: 'versioned'
  /**
   * What is put may be about the past, and then takes the place of all that was known from its `from` on: later versions go, the one
   * before ends there. The rows need a field `previous` (int64?, of the key's version before), which the runtime fills in; earlier
   * versions are rows that change.
   */
  readonly restated?: true
  /** Fields that only the newest version has: of earlier ones they are not kept, and null where a request gets one of these. */
  readonly newestOnly?: readonly string[]
  /**
   * Fields whose indexes find what had a value at the request's instant, though it has another one by now. Rows in a collection of
   * their own (`movesName`) tell what has left a value, and when; they cost a row for each change of the field, and a read for each page.
   */
  readonly foundBy?: readonly string[]
}

/** The earlier versions of a collection whose rows are about the past, too: an earlier one from its end on, but it may change or go. */
export interface RestatedVersionsSchema extends Shape {
  readonly kind: 'state'
  readonly time: 'until'
  readonly untimed?: never
}

/** The newest row of each key: what folds go on from, and what is not asked about the past. Requests may find it newer than they are. */
export interface StateSchema extends Shape, Untimed {
  readonly kind: 'state'
}

export type CollectionSchema = FactsSchema | VersionedSchema | RestatedVersionsSchema | StateSchema

/** Where the earlier versions of a collection are: those of `nodes` in `nodeVersions`, of `entities` in `entityVersions`. */
export type VersionsName<N extends string> = N extends `${infer One}ies`
  ? `${One}yVersions`
  : N extends `${infer One}s`
    ? `${One}Versions`
    : `${N}Versions`

export function versionsName<const N extends string>(collection: N): VersionsName<N> {
  return `${singular(collection)}Versions` as VersionsName<N>
}

/** Where it says which rows of a collection left a value of a field: those of `entities` by `publicKey` in `entityMovesByPublicKey`. */
export function movesName(collection: string, field: string): string {
  return `${singular(collection)}MovesBy${field[0]?.toUpperCase()}${field.slice(1)}`
}

function singular(collection: string): string {
  return collection.replace(/ies$/, 'y').replace(/s$/, '')
}

/**
 * A list of times per (kind, term), kept by the runtime in collections of its own, which `defineSchema` adds. An entry is
 * a time with a number; one that is added twice is there once.
 */
export interface ListSchema extends ListSettings {
  /** The collection whose rows its entries lead to. */
  readonly of: string
}

export interface ListSettings {
  /** Width of the unsigned number beside each time, 0 to 4 bytes. */
  readonly payloadBytes: number
  /**
   * Rows that the entries of 32,768 events are spread over: a power of two of at least 16. Some 128 entries a row of terms
   * that are not in every block cost least: 256 for an entry an event, 1,024 for four.
   */
  readonly buckets: number
  /** true: the terms that occur can be asked for in their order. Worth it where they are numbers close to each other. */
  readonly directory?: boolean
  /** Events between two steps of the runtime's own work on the list; 4,096 unless given. */
  readonly windowEvents?: number
}

/** What a projection version keeps; `defineSchema` makes it of what a read model declares. */
export interface ProjectionSchema {
  readonly name: string
  /** Version of the shape: another version lives in collections of its own, beside this one. */
  readonly version: number
  /**
   * Its events are decisions, ordered by their position: its rows have no instants, and a request finds them as they are where the read
   * model stands. Unless given, they are the ledger's, ordered by consensus time.
   */
  readonly orderedBy?: 'position'
  /** Which build of this version, from 1 (the default): the same rows built anew, or from another log generation. */
  readonly build?: number
  readonly collections: Readonly<Record<string, CollectionSchema>>
  /** Lists, by name; what they are kept in is among the collections. */
  readonly lists?: Readonly<Record<string, ListSchema>>
}

type ValueOf<K> = K extends `${infer V}?`
  ? ValueOf<V> | null
  : K extends 'int64'
    ? bigint
    : K extends 'int32'
      ? number
      : K extends 'text'
        ? string
        : K extends 'bytes'
          ? Uint8Array
          : never

/** Names of a schema's collections. */
export type CollectionName<S extends ProjectionSchema> = keyof S['collections'] & string
type CollectionOf<S extends ProjectionSchema, N extends CollectionName<S>> = S['collections'][N]
export type FieldName<S extends ProjectionSchema, N extends CollectionName<S>> = keyof CollectionOf<S, N>['fields'] &
  string

/** Names of a schema's lists. */
export type ListName<S extends ProjectionSchema> = keyof NonNullable<S['lists']> & string

/** A whole row of a collection, as its schema types it. */
export type RowOf<S extends ProjectionSchema, N extends CollectionName<S>> = {
  readonly [F in FieldName<S, N>]: ValueOf<CollectionOf<S, N>['fields'][F]>
}

/** Values of some fields in their order, as far as they are known. */
type ValuesOf<S extends ProjectionSchema, N extends CollectionName<S>, Fields extends readonly string[]> = {
  readonly [I in keyof Fields]: Fields[I] extends FieldName<S, N> ? RowOf<S, N>[Fields[I]] : Value
}

/** Values of a collection's key fields, in order. */
export type KeyOf<S extends ProjectionSchema, N extends CollectionName<S>> = ValuesOf<S, N, CollectionOf<S, N>['key']>

/** The key, or a declared index: what rows can be read in the order of. */
export type IndexOf<S extends ProjectionSchema, N extends CollectionName<S>> =
  | CollectionOf<S, N>['key']
  | (CollectionOf<S, N> extends { readonly indexes: readonly (infer I extends readonly string[])[] } ? I : never)

/** `transactions@1`, `transactions@1.2` for its second build: what an engine calls the place where the rows are. */
export function instanceName({
  name,
  version,
  build = 1,
}: Pick<ProjectionSchema, 'name' | 'version' | 'build'>): string {
  return build === 1 ? `${name}@${version}` : `${name}@${version}.${build}`
}

/** The end of a block: where its last event is, and its consensus time (ns). */
export interface BlockEnd {
  readonly position: Position
  readonly time: bigint
}

export interface Checkpoint {
  /** Rows equal the fold of the log up to here, inclusive. */
  readonly position: Position
  /** Greatest consensus time (ns) among the events folded so far; 0n before the first. */
  readonly time: bigint
  /** The newest block of which all events are folded. Absent before the first, in rows of before it was noted, and of decisions. */
  readonly whole?: BlockEnd | undefined
}

export interface PutRow {
  readonly collection: string
  readonly row: Row
}

export interface DeleteRow {
  readonly collection: string
  /** Values of the key fields, in order. */
  readonly key: readonly Value[]
}

export interface ParkedEvent {
  readonly sequence: Position
  readonly error: string
}

export interface CommitBatch {
  readonly from: Position
  readonly to: Checkpoint
  /** Whole rows; a row with the same key is replaced. At most one entry per key. */
  readonly puts: readonly PutRow[]
  readonly deletes: readonly DeleteRow[]
  /** Events the fold refused, recorded in the same commit. */
  readonly parked?: readonly ParkedEvent[]
}

/**
 * A commit being put together. Writes may go to the engine at once, but nothing shows before `commit` resolves, and a
 * crash or `abandon` leaves nothing of them. At most one is open per writer.
 */
export interface OpenCommit {
  /**
   * Puts a whole row; a row with the same key is replaced. At most one write per key. Byte arrays of the row may change after
   * the call: who keeps them copies them.
   */
  put(collection: string, row: Row): void
  remove(collection: string, key: readonly Value[]): void
  /** Records an event that the fold refused. */
  park(event: ParkedEvent): void
  commit(to: Checkpoint): Promise<void>
  abandon(): Promise<void>
}

/** A row by key; undefined where there is none. Throws what `load` rejects with. */
export type LoadSync = (collection: string, key: readonly Value[]) => Row | undefined

/** Which rows an instance has, and of which log. */
export interface RowsOrigin {
  /** Made up when they were begun: others under the same name, also those built again after these were lost, have another. */
  readonly mark: string
  /** Identity of the log that they are folded from; undefined where nobody has said so yet. */
  readonly log: string | undefined
}

/** Exclusive ownership of one projection version. A newer owner makes every commit of an older one fail. */
export interface ProjectionWriter {
  /** Where to go on; undefined when this version was never built. A commit that a crash interrupted is whole by now. */
  readonly checkpoint: Checkpoint | undefined
  /** Grows with every owner, so that the newest has the greatest. */
  readonly epoch: number
  /** As of when it was opened; absent where rows are of no store. */
  readonly origin?: RowsOrigin
  /** Says which log the rows are folded from, for good. */
  claim?(log: string): Promise<void>
  /** Most events that one commit should hold, where the engine keeps its rows in memory until then; else undefined. */
  readonly commitEventsMax?: number
  /** Rows by key, in the order asked; undefined where there is none. */
  load(collection: string, keys: readonly (readonly Value[])[]): Promise<(Row | undefined)[]>
  /** The row, of an engine that reads without a round trip: there it does not pay to ask for the rows of many events at once. */
  readonly loadSync?: LoadSync
  /**
   * Applies the writes and moves the checkpoint from `from` to `to`, whole after recovery from any crash. Rejects with
   * `checkpoint_moved` when the stored position is not `from`, with `owner_fenced` when a newer owner took over.
   */
  commit(batch: CommitBatch): Promise<void>
  /** The same in pieces, for large batches: rows need not be held in memory. */
  begin(from: Position): OpenCommit
  /** Forgets parked events, once they are folded or given up. */
  unpark(sequences: readonly Position[]): Promise<void>
  /** How much work commits have left for later, to compare with other writers; 0 where it is not worth it yet. Absent where they leave none. */
  leftOver?(): number
  /** Does that work: called when there is nothing to fold, so that no commit has to. */
  tidy?(): void
  close(): Promise<void>
}

export interface Bound<V extends Value = Value> {
  readonly value: V
  readonly inclusive: boolean
}

export interface RowFilter {
  readonly field: string
  readonly op: 'eq' | 'ne' | 'in'
  readonly value: Value | readonly Value[]
}

/** An ordered range read over the key or one declared index: equal leading fields, then a range on the next one. */
export interface RowQuery {
  readonly collection: string
  /** The key's or a declared index's fields; the rows come in the order of all of them. */
  readonly index: readonly string[]
  /** Values that the leading index fields must equal. */
  readonly prefix?: readonly Value[]
  /** Bounds on the index field after the prefix. */
  readonly lower?: Bound
  readonly upper?: Bound
  readonly descending?: boolean
  /** Evaluated by the store on fields of the row; not a way around an index. */
  readonly filters?: readonly RowFilter[]
  readonly limit: number
  /** Fields to return. */
  readonly select: readonly string[]
}

/** Read side of one projection version. Any number of readers, in any process. An engine may note for which request it reads. */
export interface RowReader {
  /** undefined when this version was never built. */
  checkpoint(): Promise<Checkpoint | undefined>
  /**
   * Greatest consensus time (ns) of all that reads of this turn of the event loop find, where that is known without asking; undefined
   * where it is not, or reads of a turn may be of several states.
   */
  newestTime?(): bigint | undefined
  /**
   * Which rows are there; undefined where none were begun, or those that it reads have been removed: then it has to be opened
   * anew. Rejects with `store_damaged` where they are seen not to be whole. Absent where rows are of no store.
   */
  origin?(): Promise<RowsOrigin | undefined>
  get(
    collection: string,
    keys: readonly (readonly Value[])[],
    select: readonly string[],
    requestId?: string,
  ): Promise<(Row | undefined)[]>
  find(query: RowQuery, requestId?: string): Promise<Row[]>
  /** Whole rows in key order after a key, for digests and copies. */
  scan(collection: string, after: readonly Value[] | undefined, limit: number): Promise<Row[]>
  /**
   * Looks at what leads to the rows, indexes included, and rejects with `store_damaged` where it does not lead to all of them. Takes as
   * long as reading them. Absent where nothing but the rows can be looked at.
   */
  check?(): Promise<void>
  parkedCount(): Promise<number>
  /** Parked events after a sequence, in order. */
  parked(after: Position, limit: number): Promise<ParkedEvent[]>
  close(): Promise<void>
}

/** The leading values of an index, as many as are known. */
type PrefixOf<Values extends readonly unknown[]> = Values extends readonly [...infer Leading, unknown]
  ? readonly [...Values] | PrefixOf<Leading>
  : readonly []

/** Values of the field of an index that follows its prefix. */
type BoundValue<Values extends readonly unknown[], P extends readonly unknown[]> = Values[P['length']] & Value

type TypedFilter<R> = {
  readonly [F in keyof R & string]:
    | { readonly field: F; readonly op: 'eq' | 'ne'; readonly value: R[F] & Value }
    | { readonly field: F; readonly op: 'in'; readonly value: readonly (R[F] & Value)[] }
}[keyof R & string]

/** A query whose collection, index and fields exist in a schema, with values of the fields that they stand for. */
export interface TypedQuery<
  S extends ProjectionSchema,
  N extends CollectionName<S>,
  F extends FieldName<S, N>,
  I extends IndexOf<S, N>,
  P extends PrefixOf<ValuesOf<S, N, I>>,
> extends RowQuery {
  readonly collection: N
  readonly index: I
  readonly prefix?: P
  readonly lower?: Bound<BoundValue<ValuesOf<S, N, I>, P>>
  readonly upper?: Bound<BoundValue<ValuesOf<S, N, I>, P>>
  readonly filters?: readonly TypedFilter<RowOf<S, N>>[]
  readonly select: readonly F[]
}

/** A query in any of the orders of a collection, for what is passed on before it is asked. */
export type AnyQuery<
  S extends ProjectionSchema,
  N extends CollectionName<S>,
  F extends FieldName<S, N>,
  I = IndexOf<S, N>,
> = I extends IndexOf<S, N> ? QueryInOrder<S, N, F, I, PrefixOf<ValuesOf<S, N, I>>> : never

type QueryInOrder<
  S extends ProjectionSchema,
  N extends CollectionName<S>,
  F extends FieldName<S, N>,
  I extends IndexOf<S, N>,
  P,
> =
  P extends PrefixOf<ValuesOf<S, N, I>>
    ? TypedQuery<S, N, F, I, P> & (P extends readonly [] ? unknown : { readonly prefix: P })
    : never

/** The same reads, of rows as the schema types them, with the fields that were asked for. */
export interface Rows<S extends ProjectionSchema> {
  get<N extends CollectionName<S>, F extends FieldName<S, N>>(
    collection: N,
    keys: readonly KeyOf<S, N>[],
    select: readonly F[],
  ): Promise<(Pick<RowOf<S, N>, F> | undefined)[]>
  find<
    N extends CollectionName<S>,
    F extends FieldName<S, N>,
    const I extends IndexOf<S, N>,
    const P extends PrefixOf<ValuesOf<S, N, I>> = PrefixOf<ValuesOf<S, N, I>> & readonly [],
  >(query: TypedQuery<S, N, F, I, P>): Promise<Pick<RowOf<S, N>, F>[]>
  find<N extends CollectionName<S>, F extends FieldName<S, N>>(
    query: AnyQuery<S, N, F>,
  ): Promise<Pick<RowOf<S, N>, F>[]>
}

/** The collections of a schema whose rows are versions. */
type VersionedName<S extends ProjectionSchema> = {
  [N in CollectionName<S>]: CollectionOf<S, N> extends { readonly kind: 'versioned' } ? N : never
}[CollectionName<S>]

/** A schema's collections of which every row has an instant: of the others there is nothing but the newest. */
type Dated<S extends ProjectionSchema> = Pick<S, 'name' | 'version'> & {
  readonly collections: {
    readonly [N in CollectionName<S> as CollectionOf<S, N> extends
      | { readonly kind: 'versioned' }
      | { readonly time: string }
      ? N
      : never]: CollectionOf<S, N>
  }
}

/**
 * Rows as they were at an instant. Facts that count later are left out. Of versions, those in force: `until` is null, for no end was known
 * then. Of state there are the newest rows, and of facts without a time all that there are: who reads these checks.
 */
export interface RowsAt<S extends ProjectionSchema> extends Rows<S> {
  /** Rows as they are now, of what is looked at itself later on. */
  readonly newest: Rows<S>
  /** Whether nothing is later than the instant in what is read in this turn of the event loop, as far as that is known without asking. */
  readonly isNewest: boolean
  /** The same at an earlier instant (ns), which the newest rows say nothing of. A later one is none: nobody knows it yet. */
  at(time: bigint): RowsAt<Dated<S>>
  /** The first rows of several ranges of one index, given in its order. The limit is the first one's, for all of them. */
  findEach<
    N extends CollectionName<S>,
    F extends FieldName<S, N>,
    const I extends IndexOf<S, N>,
    const P extends PrefixOf<ValuesOf<S, N, I>>,
  >(queries: readonly TypedQuery<S, N, F, I, P>[]): Promise<Pick<RowOf<S, N>, F>[]>
  /**
   * The newest versions that had begun, by key, with the ends that were known at the request's instant. As established clients know
   * it, whoever asks about the past gets them, whether or not they had ended.
   */
  begun<N extends VersionedName<S>, F extends FieldName<S, N>>(
    collection: N,
    keys: readonly KeyOf<S, N>[],
    select: readonly F[],
  ): Promise<(Pick<RowOf<S, N>, F> | undefined)[]>
}

/** What a store returns is as the schema says, which every adapter's contract suite proves: the one place that trusts it. */
export function typedRows<S extends ProjectionSchema>(reader: Pick<RowReader, 'get' | 'find'>): Rows<S> {
  return reader as unknown as Rows<S>
}

/** The same reads without the types, for what reads collections of any schema. */
export function plainRows<S extends ProjectionSchema>(rows: Rows<S>): Pick<RowReader, 'get' | 'find'> {
  return rows as unknown as Pick<RowReader, 'get' | 'find'>
}

export interface ReaderOptions {
  /**
   * true: what is read in one turn of the event loop may all be of the state that the first of its reads found, which spares an
   * engine a lock for each. Whoever writes in the same thread and reads what was written wants it otherwise.
   */
  readonly byTurns?: boolean
}

/**
 * Rows of the read models. After any crash, and before any fold reads, rows equal the fold of the log up to the
 * checkpoint. Nothing here needs multi-document transactions: an engine without them keeps a journal.
 */
export interface ReadStore {
  /**
   * Takes ownership of a projection version, creating its collections where needed and finishing an interrupted commit.
   * Rejects with `owner_busy` while another owner is known to live.
   */
  openWriter(schema: ProjectionSchema): Promise<ProjectionWriter>
  openReader(schema: ProjectionSchema, options?: ReaderOptions): Promise<RowReader>
  /** Removes all that there is of this build, whatever its collections where the schema has none, as of a version that no code knows any more; resolves to false where there is nothing. Rejects with `owner_busy` as above. */
  remove(schema: ProjectionSchema): Promise<boolean>
  close(): Promise<void>
}
