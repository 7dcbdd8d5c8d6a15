import { type DecisionOf, type DecisionType, decisionTypes } from '#schemas/decisions/types.ts'
import type { EventOf } from '#schemas/events/types.ts'
import type { EventType, OutputName, outputTypes } from '#src/events/event-types.ts'
import type { Position } from '#src/ports/message-log.ts'
import type { CollectionName, KeyOf, ListName, ProjectionSchema, RowOf } from '#src/ports/read-store.ts'

/** Events of the ledger's log, and of the decision store. */
export type FoldType = EventType | DecisionType
type FoldedOf<T extends FoldType> = T extends EventType ? EventOf<T> : T extends DecisionType ? DecisionOf<T> : never

/** An event as it was decoded for all projections that share a reader, and its place in the order. */
export type FoldEvent = {
  readonly [T in FoldType]: { readonly type: T; readonly sequence: Position; readonly event: FoldedOf<T> }
}[FoldType]

/** Where an event stands. */
export interface EventPlace<T extends FoldType = FoldType> {
  readonly type: T
  readonly sequence: Position
}

/** What `apply` may do: read, put and remove rows. */
export interface FoldedRows<S extends ProjectionSchema> {
  /**
   * As earlier events and earlier handlers of this event left it; undefined where there is none. Byte arrays are good until the
   * event is folded: what is put is copied then.
   */
  get<N extends CollectionName<S>>(collection: N, ...key: KeyOf<S, N>): RowOf<S, N> | undefined
  /** Of a collection with versions, the row before becomes an earlier one. */
  put<N extends CollectionName<S>>(collection: N, row: RowOf<S, N>): void
  remove<N extends CollectionName<S>>(collection: N, ...key: KeyOf<S, N>): void
  /** Adds an entry to a list; what it adds twice is there once. */
  add(list: ListName<S>, entry: ListEntry): void
}

/** What only reads. */
export type ReadRows<S extends ProjectionSchema> = Pick<FoldedRows<S>, 'get'>

/** What a fold adds to a list. Entries of different events have different times, and those of later events later ones. */
export interface ListEntry {
  /** What the term means: 0 to 127. */
  readonly kind: number
  readonly term: bigint
  readonly time: bigint
  /** Unsigned, as wide as the list declares. */
  readonly payload: number
}

/**
 * What a projection does with events of one type. Both functions are pure and synchronous: they depend on nothing but the
 * declared fields of the event, its place and the rows they read. Where rows take a round trip, `apply` is run ahead to find
 * those it reads, as if there were none that are not loaded, and what it did then is undone.
 */
export interface Handler<S extends ProjectionSchema, T extends FoldType, F extends keyof FoldedOf<T> & string> {
  /** The fields that both functions see, and nothing else. Other fields are not decoded, those of a transaction when they are asked for. */
  readonly reads: readonly F[]
  /** A hint: reads what `apply` would read, and is run ahead in its place. Worth it where `apply` costs much. */
  needs?(event: Pick<FoldedOf<T>, F>, rows: ReadRows<S>, place: EventPlace<T>): void
  apply(event: Pick<FoldedOf<T>, F>, rows: FoldedRows<S>, place: EventPlace<T>): void
}

/** A handler whose types only its own projection knows. */
// biome-ignore lint/suspicious/noExplicitAny: see above
export type AnyHandler = Handler<any, any, any>

export type Handlers = { readonly [T in FoldType]?: readonly AnyHandler[] }

/**
 * Rows of a collection as events of a topic for subscribers, in the order of their key. The runtime publishes each once, after
 * the commit that wrote it; see docs/decisions/0015-outputs-from-rows.md.
 */
export interface Output<S extends ProjectionSchema, O extends OutputName, N extends CollectionName<S>> {
  /**
   * A collection that only grows. Its key is a consensus time (ns) and at most one field more; of the rows that are published
   * those of a block are written with it at the latest, and never with a later one.
   */
  readonly rows: N
  /** The event that a row is; undefined for one that is left out. Pure: it depends on nothing but the row and those it reads. */
  event(row: RowOf<S, N>, rows: ReadRows<S>): EventOf<(typeof outputTypes)[O]> | undefined
}

/** An output whose types only its own projection knows. */
// biome-ignore lint/suspicious/noExplicitAny: see above
export type AnyOutput = Output<any, any, any> & { readonly topic: OutputName }

/** Where a projection's events come from: the ledger's log, or all streams of the decision store in their one order. */
export type ProjectionSource = 'ledger' | 'decisions'

/** A read model as data plus pure functions; the runtime does the rest. */
export interface Projection {
  readonly schema: ProjectionSchema
  readonly source: ProjectionSource
  /**
   * true: rows of different events never depend on each other's order, so a live fold parks an event that it cannot
   * fold. false: it stops.
   */
  readonly orderFree: boolean
  /**
   * true: an event that cannot be folded is parked and passed over, live and in a rebuild, also where rows of others depend on
   * it: what it would have written is missing, and the rest is shown. For what people decided, of which one old event must
   * not take all others away. Rows are held against the schema before they count.
   */
  readonly passesOver: boolean
  /** In the order in which those of one event type are applied. */
  readonly handlers: Handlers
  /** What it publishes for subscribers. */
  readonly outputs: readonly AnyOutput[]
}

export type AnyProjection = Projection

export interface ProjectionOptions {
  readonly orderFree?: boolean
  readonly passesOver?: boolean
}

/** A projection that still takes handlers. Each call gives a new one. */
export interface ProjectionBuilder<S extends ProjectionSchema> extends Projection {
  readonly schema: S
  /** Adds a handler behind those that the event type has. */
  on<T extends FoldType, F extends keyof FoldedOf<T> & string>(type: T, handler: Handler<S, T, F>): ProjectionBuilder<S>
  /** Adds the handlers of a projection whose collections are among those of the schema: a module that several embed. */
  embed(module: {
    readonly schema: { readonly collections: Partial<S['collections']> }
    readonly handlers: Handlers
  }): ProjectionBuilder<S>
  /** Declares an output: its rows become events on this topic. */
  publish<O extends OutputName, N extends CollectionName<S>>(topic: O, output: Output<S, O, N>): ProjectionBuilder<S>
}

/** Begins a projection that keeps what the schema says. */
export function defineProjection<const S extends ProjectionSchema>(
  schema: S,
  options: ProjectionOptions = {},
): ProjectionBuilder<S> {
  return withParts(schema, options, { handlers: {}, outputs: [] })
}

type Parts = Pick<Projection, 'handlers' | 'outputs'>

function withParts<S extends ProjectionSchema>(
  schema: S,
  options: ProjectionOptions,
  { handlers, outputs }: Parts,
): ProjectionBuilder<S> {
  const source = schema.orderedBy === 'position' ? 'decisions' : 'ledger'
  assertSource(schema, source, handlers)
  const add = (more: Handlers): ProjectionBuilder<S> =>
    withParts(schema, options, { handlers: concatenated(handlers, more), outputs })
  return {
    schema,
    source,
    orderFree: options.orderFree ?? false,
    passesOver: options.passesOver ?? false,
    handlers,
    outputs,
    on: (type, handler) => add({ [type]: [handler] }),
    embed: (module) => add(module.handlers),
    publish: (topic, output) => {
      assertPublishable(schema, source, output.rows)
      return withParts(schema, options, { handlers, outputs: [...outputs, { ...output, topic }] })
    },
  }
}

/** Positions of decisions have gaps, so nothing that counts events in runs of a size can hang on them. */
function assertSource({ name, lists }: ProjectionSchema, source: ProjectionSource, handlers: Handlers): void {
  const ofDecisions = source === 'decisions'
  const foreign = Object.keys(handlers).find(
    (type) => ofDecisions !== (decisionTypes as readonly string[]).includes(type),
  )
  if (foreign) throw new TypeError(`Projection ${name} reads ${source}, where no ${foreign} is`)
  if (ofDecisions && lists) throw new TypeError(`Projection ${name} reads decisions: no lists`)
}

/** Rows that change, or that no time orders, would be told again or too late. */
function assertPublishable({ name, collections }: ProjectionSchema, source: ProjectionSource, rows: string): void {
  const { kind, key = [], fields = {} } = collections[rows] ?? {}
  const [time = ''] = key
  if (source === 'ledger' && kind === 'facts' && key.length <= 2 && fields[time] === 'int64') return
  throw new TypeError(
    `Projection ${name} cannot publish ${rows}: they must only grow, with a key of a time and a number`,
  )
}

function concatenated(first: Handlers, second: Handlers): Handlers {
  const types = new Set([...Object.keys(first), ...Object.keys(second)]) as Set<FoldType>
  return Object.fromEntries([...types].map((type) => [type, [...(first[type] ?? []), ...(second[type] ?? [])]]))
}

/** Fields of an event type that a projection reads; undefined where it does not read such events. */
export function readFields({ handlers }: AnyProjection, type: FoldType): ReadonlySet<string> | undefined {
  const own = handlers[type]
  return own && new Set(own.flatMap(({ reads }) => reads as readonly string[]))
}

/** Whether what its events write may depend on rows that are there. */
export function readsRows({ schema: { collections } }: AnyProjection): boolean {
  return Object.values(collections).some(({ kind }) => kind !== 'facts')
}

/** `transactions v1`, `transactions v1.2` for its second build. */
export function projectionLabel({ schema: { name, version, build = 1 } }: Pick<AnyProjection, 'schema'>): string {
  return build === 1 ? `${name} v${version}` : `${name} v${version}.${build}`
}

/** The fold of a version, writing the rows of one of its builds. */
export function projectionOfInstance(projection: AnyProjection, { build }: { readonly build: number }): AnyProjection {
  return build === (projection.schema.build ?? 1)
    ? projection
    : { ...projection, schema: { ...projection.schema, build } }
}
