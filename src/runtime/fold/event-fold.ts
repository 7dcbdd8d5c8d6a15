import type { ProjectionWriter } from '#src/ports/read-store.ts'
import { viewOf } from '#src/runtime/fold/event-view.ts'
import type { FoldRows } from '#src/runtime/fold/fold-rows.ts'
import type { AnyHandler, AnyProjection, FoldEvent, FoldType } from '#src/runtime/fold/projection.ts'
import { RowMissing } from '#src/runtime/fold/row-cache.ts'

/** Loads after which a handler must know which rows it needs: each may depend on what the one before found. */
const stagesMax = 16

interface BoundHandler {
  readonly handler: AnyHandler
  readonly view: (event: object) => object
}

/** Applies a projection's handlers to events, and loads the rows that they ask for. */
export class EventFold {
  readonly #rows: FoldRows
  readonly #writer: Pick<ProjectionWriter, 'load'>
  readonly #handlers: Readonly<Record<string, readonly BoundHandler[] | undefined>>
  /** What `needs` threw, by event. */
  readonly #refusals = new WeakMap<object, unknown>()
  /** Why the last `apply` did nothing. */
  missing: unknown

  constructor({ handlers }: AnyProjection, rows: FoldRows, writer: Pick<ProjectionWriter, 'load'>) {
    this.#rows = rows
    this.#writer = writer
    this.#handlers = Object.fromEntries(
      Object.entries(handlers).map(([type, own]) => [
        type,
        own.map((handler) => ({ handler, view: viewOf(type as FoldType, handler) })),
      ]),
    )
  }

  /**
   * Loads what the events of a batch from one on need as far as it can be told now. Earlier ones may change what later ones
   * need: what is missing in its turn is loaded then.
   */
  async prefetch(events: readonly (FoldEvent | undefined)[], from: number): Promise<void> {
    const asks = (event: FoldEvent | undefined): event is FoldEvent => event !== undefined && this.#asks(event)
    let open = events.slice(from).filter(asks)
    for (let stage = 0; open.length > 0 && stage < stagesMax; stage++) {
      open = open.filter((event) => this.#ask(event))
      if (!(await this.#rows.load(this.#writer))) return
    }
  }

  /** Loads what one event needs, as far as it says so. Rejects with what the store rejects with, and nothing else. */
  async loadFor(event: FoldEvent): Promise<void> {
    for (let stage = 0; stage < stagesMax; stage++) {
      this.#ask(event)
      if (!(await this.#rows.load(this.#writer))) return
    }
  }

  /** Returns false, with nothing changed, when a row is missing. What handlers throw is thrown. */
  apply(event: FoldEvent): boolean {
    const { type, sequence } = event
    const place = { type, sequence }
    try {
      for (const { handler, view } of this.#handlers[type] ?? []) handler.apply(view(event.event), this.#rows, place)
      return true
    } catch (error) {
      if (!(error instanceof RowMissing)) throw error
      this.missing = this.#refusals.get(event.event) ?? error
      this.#rows.undo()
      return false
    }
  }

  #asks({ type }: FoldEvent): boolean {
    return this.#handlers[type]?.some(({ handler }) => handler.needs !== undefined) ?? false
  }

  /** Returns whether rows were asked for that are not here. */
  #ask({ type, sequence, event }: FoldEvent): boolean {
    const before = this.#rows.missing
    const place = { type, sequence }
    try {
      for (const { handler, view } of this.#handlers[type] ?? []) handler.needs?.(view(event), this.#rows, place)
    } catch (error) {
      // Told when the event's turn comes and it lacks what it could not ask for.
      this.#refusals.set(event, error)
    }
    return this.#rows.missing > before
  }
}
