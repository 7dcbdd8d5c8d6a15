import type { EventOf } from '#schemas/events/types.ts'
import type { EventType } from '#src/events/event-types.ts'
import type { Position } from '#src/ports/message-log.ts'
import type { ProjectionSchema, Row, Value } from '#src/ports/read-store.ts'

export interface RowRef {
  readonly collection: string
  readonly key: readonly Value[]
}

/** An event as a fold sees it: the fields that the projection reads, and its place in the order. */
export type FoldEvent = {
  readonly [T in EventType]: { readonly type: T; readonly sequence: Position; readonly event: EventOf<T> }
}[EventType]

/** What a fold may do: put and remove rows, read those it declared by `needs`, and keep notes for the current window. */
export interface FoldContext<W> {
  put(collection: string, row: Row): void
  remove(collection: string, key: readonly Value[]): void
  /** A row declared by `needs` for this event, as of just before it; undefined when absent. */
  get(collection: string, key: readonly Value[]): Row | undefined
  /** The state of the current window; undefined in projections without windows. */
  readonly window: W
}

/**
 * Aligned runs of `size` sequences. The state collects what rows of the window need; after a restart the runtime folds
 * the window's earlier events again, so the rows depend on the events alone, never on batch sizes.
 */
export interface WindowSpec<W> {
  readonly size: number
  /** A fresh state; `index` counts windows from 0. */
  open(index: number): W
  /** Puts the rows whose content changed since the last call. Called at every commit and at the window's end. */
  flush(state: W, put: (collection: string, row: Row) => void): void
}

/**
 * A read model as data plus pure functions; the runtime does the rest. `apply` must be synchronous, must depend on nothing
 * but the event, the rows it needs and the window, and must compute before it changes the window's state.
 */
export interface Projection<W = undefined> {
  readonly schema: ProjectionSchema
  /** Fields read per event type; other types are not decoded, other fields are skipped. */
  readonly reads: { readonly [T in EventType]?: readonly (keyof EventOf<T> & string)[] }
  /**
   * true: rows of different events never depend on each other's order, so a live fold parks an event that it cannot
   * fold. false: it stops.
   */
  readonly orderFree: boolean
  readonly window?: WindowSpec<W>
  /** Rows to load before `apply`. */
  needs?(event: FoldEvent): readonly RowRef[]
  apply(event: FoldEvent, context: FoldContext<W>): void
}

/** A projection whose window state only its own functions know. */
// biome-ignore lint/suspicious/noExplicitAny: the state's type is private to each projection
export type AnyProjection = Projection<any>

export function defineProjection<W = undefined>(projection: Projection<W>): Projection<W> {
  return projection
}

/** `transactions v1`, `transactions v1.2` for its second build. */
export function projectionLabel({ schema: { name, version, build = 1 } }: AnyProjection): string {
  return build === 1 ? `${name} v${version}` : `${name} v${version}.${build}`
}

/** The fold of a version, writing the rows of one of its builds. */
export function projectionOfInstance(projection: AnyProjection, { build }: { readonly build: number }): AnyProjection {
  return build === (projection.schema.build ?? 1)
    ? projection
    : { ...projection, schema: { ...projection.schema, build } }
}
