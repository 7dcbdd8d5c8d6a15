import type { DeleteRow, ProjectionWriter, PutRow, Row } from '#src/ports/read-store.ts'
import type { RowRef } from '#src/runtime/fold/projection.ts'

interface Entry {
  readonly ref: RowRef
  /** undefined: there is no such row. */
  row: Row | undefined
  dirty: boolean
  /** Asked for by a fold, so worth keeping; rows that folds only write are not. */
  readonly needed: boolean
}

/** One text per row key, different for different keys: every part says its kind, and its length where it has one. */
function textOf({ collection, key }: RowRef): string {
  let text = collection
  for (const value of key) {
    if (value instanceof Uint8Array) text += `|x${Buffer.from(value).toString('hex')}`
    else if (typeof value === 'string') text += `|s${value.length}:${value}`
    else text += `|n${value}`
  }
  return text
}

/**
 * Rows that a stateful fold works on: loaded before the fold, changed in memory, written at the commit, and kept for the
 * next batch up to a bound.
 */
export class RowCache {
  readonly #writer: ProjectionWriter
  readonly #rowsMax: number
  readonly #keyFields: (collection: string) => readonly string[]
  readonly #entries = new Map<string, Entry>()

  constructor(writer: ProjectionWriter, keyFields: (collection: string) => readonly string[], rowsMax: number) {
    this.#writer = writer
    this.#keyFields = keyFields
    this.#rowsMax = rowsMax
  }

  /** Loads what is not here yet, one call per collection. */
  async load(refs: Iterable<RowRef>): Promise<void> {
    const missing = new Map<string, Map<string, RowRef>>()
    for (const ref of refs) {
      const text = textOf(ref)
      if (this.#entries.has(text)) continue
      const ofCollection = missing.get(ref.collection) ?? new Map<string, RowRef>()
      missing.set(ref.collection, ofCollection.set(text, ref))
    }
    for (const [collection, wanted] of missing) {
      const rows = await this.#writer.load(
        collection,
        [...wanted.values()].map(({ key }) => key),
      )
      let index = 0
      for (const [text, ref] of wanted) this.#entries.set(text, { ref, row: rows[index++], dirty: false, needed: true })
    }
  }

  get(ref: RowRef): Row | undefined {
    const entry = this.#entries.get(textOf(ref))
    if (!entry) throw new Error(`the fold reads row ${textOf(ref)} without having declared it in needs`)
    return entry.row
  }

  set(ref: RowRef, row: Row | undefined): void {
    const text = textOf(ref)
    const needed = this.#entries.get(text)?.needed ?? false
    this.#entries.delete(text)
    this.#entries.set(text, { ref, row, dirty: true, needed })
  }

  refOf(collection: string, row: Row): RowRef {
    return { collection, key: this.#keyFields(collection).map((field) => row[field] ?? null) }
  }

  /** What a commit has to write. */
  changes(): { puts: PutRow[]; deletes: DeleteRow[] } {
    const puts: PutRow[] = []
    const deletes: DeleteRow[] = []
    for (const { ref, row, dirty } of this.#entries.values()) {
      if (!dirty) continue
      if (row) puts.push({ collection: ref.collection, row })
      else deletes.push(ref)
    }
    return { puts, deletes }
  }

  /** After a commit: everything is clean, and the rows untouched for longest make room. */
  settle(): void {
    for (const [text, entry] of this.#entries) {
      if (entry.needed) entry.dirty = false
      else this.#entries.delete(text)
    }
    for (const text of this.#entries.keys()) {
      if (this.#entries.size <= this.#rowsMax) break
      this.#entries.delete(text)
    }
  }
}
