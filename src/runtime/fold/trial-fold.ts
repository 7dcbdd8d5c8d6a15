import { readDecision, recordOfDecision } from '#src/events/decisions.ts'
import type { RecordedDecision } from '#src/ports/decision-store.ts'
import type { CollectionSchema, ProjectionSchema, Row, Value } from '#src/ports/read-store.ts'
import { viewOf } from '#src/runtime/fold/event-view.ts'
import type { AnyProjection, FoldedRows, FoldType } from '#src/runtime/fold/projection.ts'
import { assertRow } from '#src/runtime/fold/row-check.ts'

export interface TrialFoldOptions {
  readonly projection: AnyProjection
  /** What is kept of a row for later events, so that what no fold reads again takes no memory; all of it unless given. */
  readonly kept?: (collection: string, row: Row) => Row
}

/**
 * Folds decisions in memory, with the same functions as the read model and without its store, to know before they are written
 * down whether they can be folded. Rows of collections that only grow are not kept, since no fold reads them.
 */
export class TrialFold {
  readonly #handlers: AnyProjection['handlers']
  readonly #rows: TrialRows

  constructor({ projection, kept = (_collection, row) => row }: TrialFoldOptions) {
    this.#handlers = projection.handlers
    this.#rows = new TrialRows(projection.schema, kept)
  }

  /** A decision that is written down: what it does stays, and nothing where it cannot be folded. */
  take(decision: RecordedDecision): void {
    try {
      this.#apply(decision)
      this.#rows.keep()
    } catch {
      this.#rows.undo()
    }
  }

  /** Why these cannot be folded behind what is there, one after the other; undefined where they can. Nothing of it stays. */
  refusalOf(decisions: readonly RecordedDecision[]): string | undefined {
    try {
      for (const decision of decisions) this.#apply(decision)
      return undefined
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    } finally {
      this.#rows.undo()
    }
  }

  #apply(decision: RecordedDecision): void {
    const type = decision.type as FoldType
    const own = this.#handlers[type]
    if (own === undefined) return
    const event = readDecision(recordOfDecision(decision).value)
    const place = { type, sequence: decision.position }
    for (const handler of own) handler.apply(viewOf(handler)(event), this.#rows, place)
  }
}

class TrialRows implements FoldedRows<ProjectionSchema> {
  readonly #schema: ProjectionSchema
  readonly #kept: (collection: string, row: Row) => Row
  readonly #rows = new Map<string, Row>()
  /** What the trial wrote; undefined: removed. */
  readonly #written = new Map<string, { readonly collection: string; readonly row: Row | undefined }>()

  constructor(schema: ProjectionSchema, kept: (collection: string, row: Row) => Row) {
    this.#schema = schema
    this.#kept = kept
  }

  get(collection: string, ...key: readonly Value[]): Row | undefined {
    const id = idOf(collection, key)
    const written = this.#written.get(id)
    return written === undefined ? this.#rows.get(id) : written.row
  }

  put(collection: string, row: Row): void {
    const schema = this.#collection(collection)
    assertRow(collection, schema, row)
    if (schema.kind === 'facts') return
    const key = schema.key.map((field) => row[field]!)
    this.#written.set(idOf(collection, key), { collection, row })
  }

  remove(collection: string, ...key: readonly Value[]): void {
    this.#written.set(idOf(collection, key), { collection, row: undefined })
  }

  add(list: string): void {
    throw new Error(`${list} is a list, which decisions have none of`)
  }

  keep(): void {
    for (const [id, { collection, row }] of this.#written) {
      if (row === undefined) this.#rows.delete(id)
      else this.#rows.set(id, this.#kept(collection, row))
    }
    this.#written.clear()
  }

  undo(): void {
    this.#written.clear()
  }

  #collection(name: string): CollectionSchema {
    const schema = this.#schema.collections[name]
    if (schema === undefined) throw new Error(`there is no collection ${name}`)
    return schema
  }
}

function idOf(collection: string, key: readonly Value[]): string {
  return [collection, ...key].join('\n')
}
