import type { ProjectionWriter } from '#src/ports/read-store.ts'
import { viewOf } from '#src/runtime/fold/event-view.ts'
import type { FoldRows } from '#src/runtime/fold/fold-rows.ts'
import type { AnyHandler, AnyProjection, FoldEvent } from '#src/runtime/fold/projection.ts'

/** Loads ahead of a batch: each may show what else is read. */
const stagesMax = 16

interface BoundHandler {
  readonly handler: AnyHandler
  readonly view: (event: object) => object
}

/**
 * Applies a projection's handlers to events. Where an engine loads rows in round trips, a fold that reads a row which is not here
 * goes on as if there were none, and what it did is undone: the row is loaded, and the event folded again.
 */
export class EventFold {
  readonly #rows: FoldRows
  readonly #writer: Pick<ProjectionWriter, 'load'>
  readonly #handlers: Readonly<Record<string, readonly BoundHandler[] | undefined>>

  constructor({ handlers }: AnyProjection, rows: FoldRows, writer: Pick<ProjectionWriter, 'load'>) {
    this.#rows = rows
    this.#writer = writer
    this.#handlers = Object.fromEntries(
      Object.entries(handlers).map(([type, own]) => [type, own.map((handler) => ({ handler, view: viewOf(handler) }))]),
    )
  }

  /** Returns false, with nothing changed, when a row has to be loaded. What handlers throw is thrown. */
  apply({ type, sequence, event }: FoldEvent): boolean {
    const before = this.#rows.missing
    const place = { type, sequence }
    try {
      for (const { handler, view } of this.#handlers[type] ?? []) handler.apply(view(event), this.#rows, place)
    } catch (error) {
      // Without all rows a fold may fail that does not with them.
      if (this.#rows.missing === before) throw error
    }
    if (this.#rows.missing === before) return true
    this.#rows.undo()
    return false
  }

  /** Loads the rows that the last event read. Rejects with what the store rejects with. */
  async load(): Promise<void> {
    await this.#rows.load(this.#writer)
  }

  /**
   * Loads what the events of a batch from one on read, as far as it can be told now. Earlier ones may change what later ones
   * read: what is missing in its turn is loaded then.
   */
  async loadAhead(events: readonly (FoldEvent | undefined)[], from: number): Promise<void> {
    let open = events.slice(from).filter((event) => event !== undefined)
    for (let stage = 0; stage < stagesMax; stage++) {
      open = open.filter((event) => this.#asks(event))
      this.#rows.undo()
      if (!(await this.#rows.load(this.#writer))) return
    }
  }

  /** Finds what an event reads, and undoes whatever else it did. Returns whether anything of it is not here. */
  #asks({ type, sequence, event }: FoldEvent): boolean {
    const before = this.#rows.missing
    const place = { type, sequence }
    try {
      for (const { handler, view } of this.#handlers[type] ?? [])
        (handler.needs ?? handler.apply)(view(event), this.#rows, place)
    } catch {
      // Told when the event's turn comes, should it still fail then.
    }
    return this.#rows.missing > before
  }
}
