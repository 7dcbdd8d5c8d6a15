import type { CollectionSchema, DeleteRow, PutRow, Row, Value } from '#src/ports/read-store.ts'
import { type RowId, rowIdOf } from '#src/runtime/fold/row-id.ts'

/** A row's own cost in memory beside its values: the entry, its key and its place in the map. */
const entryBytes = 200
const fieldBytes = 16

interface Entry {
  readonly id: RowId
  readonly key: readonly Value[]
  /** undefined: there is no such row. */
  row: Row | undefined
  /** Not written yet. */
  dirty: boolean
  /** Looked at since room was made last. */
  used: boolean
  bytes: number
}

interface Undo {
  readonly entry: Entry
  /** The entry was made by the write that is undone. */
  readonly isNew: boolean
  readonly row: Row | undefined
  readonly dirty: boolean
}

/** Says that a fold reads a row which is not here. */
export class RowMissing extends Error {
  constructor(collection: string, key: readonly Value[]) {
    super(`the fold reads row ${key.join()} of ${collection} without having asked for it in needs`)
  }
}

/**
 * The rows of one collection that a stateful fold works on: loaded before the fold, changed in memory, written at the commit,
 * and kept for later batches as long as there is room. That a row is absent is kept as well.
 */
export class RowCache {
  readonly collection: string
  readonly #keyFields: readonly string[]
  readonly #textFields: readonly string[]
  readonly #rowBytes: number
  readonly #idOf: (key: readonly Value[]) => RowId
  readonly #entries = new Map<RowId, Entry>()
  /** Asked for and not here. */
  readonly #missing = new Map<RowId, readonly Value[]>()
  #dirty: Entry[] = []
  /** How to take back what the event that is being folded wrote. */
  #undo: Undo[] = []
  bytes = 0
  /** How many times a row was asked for that was not here; only ever grows. */
  misses = 0

  constructor(collection: string, schema: CollectionSchema) {
    this.collection = collection
    this.#keyFields = schema.key
    const names = Object.keys(schema.fields)
    this.#textFields = names.filter((name) => !schema.fields[name]?.startsWith('int'))
    this.#rowBytes = entryBytes + fieldBytes * names.length
    this.#idOf = rowIdOf(schema)
  }

  /** The row, or a note that it has to be loaded. */
  want(key: readonly Value[]): Row | undefined {
    const id = this.#idOf(key)
    const entry = this.#entries.get(id)
    if (entry === undefined) {
      this.#missing.set(id, key)
      this.misses += 1
      return undefined
    }
    entry.used = true
    return entry.row
  }

  get(key: readonly Value[]): Row | undefined {
    const entry = this.#entries.get(this.#idOf(key))
    if (entry === undefined) throw new RowMissing(this.collection, key)
    entry.used = true
    return entry.row
  }

  put(row: Row): void {
    const key = this.#keyFields.map((field) => row[field] ?? null)
    this.#write(key, row)
  }

  remove(key: readonly Value[]): void {
    this.#write(key, undefined)
  }

  /** Keys asked for since the last call that are not here. */
  takeMissing(): (readonly Value[])[] {
    if (this.#missing.size === 0) return []
    const keys = [...this.#missing.values()]
    this.#missing.clear()
    return keys
  }

  /** Puts in what the store has. A row that was written meanwhile is newer. */
  fill(keys: readonly (readonly Value[])[], rows: readonly (Row | undefined)[]): void {
    for (const [index, key] of keys.entries()) {
      const id = this.#idOf(key)
      if (this.#entries.has(id)) continue
      const entry = { id, key, row: rows[index], dirty: false, used: true, bytes: 0 }
      this.#entries.set(id, entry)
      this.#measure(entry)
    }
  }

  /** The event is folded: what it wrote stays. */
  keep(): void {
    if (this.#undo.length > 0) this.#undo = []
  }

  /** The event is given up: what it wrote goes. */
  undo(): void {
    for (const { entry, isNew, row, dirty } of this.#undo.reverse()) {
      entry.row = row
      if (entry.dirty && !dirty) this.#dirty.splice(this.#dirty.lastIndexOf(entry), 1)
      entry.dirty = dirty
      if (isNew) this.#drop(entry)
    }
    this.#undo = []
  }

  get dirtyRows(): number {
    return this.#dirty.length
  }

  /** What a commit has to write. */
  changes(put: (row: PutRow) => void, remove: (row: DeleteRow) => void): void {
    const { collection } = this
    for (const { key, row } of this.#dirty) {
      if (row === undefined) remove({ collection, key })
      else put({ collection, row })
    }
  }

  /** After the commit. */
  settle(): void {
    for (const entry of this.#dirty) {
      entry.dirty = false
      this.#measure(entry)
    }
    this.#dirty = []
  }

  /** Forgets about as many bytes, first what was not looked at since the last call. What is not written yet stays. */
  makeRoom(bytes: number): void {
    const least = Math.max(0, this.bytes - bytes)
    for (let pass = 0; pass < 2 && this.bytes > least; pass++) {
      for (const entry of this.#entries.values()) {
        if (this.bytes <= least) return
        if (entry.dirty) continue
        if (entry.used) entry.used = false
        else this.#drop(entry)
      }
    }
  }

  #write(key: readonly Value[], row: Row | undefined): void {
    const id = this.#idOf(key)
    const known = this.#entries.get(id)
    const entry = known ?? { id, key, row: undefined, dirty: false, used: true, bytes: 0 }
    this.#undo.push({ entry, isNew: known === undefined, row: entry.row, dirty: entry.dirty })
    if (known === undefined) this.#entries.set(id, entry)
    if (!entry.dirty) {
      entry.dirty = true
      this.#dirty.push(entry)
    }
    entry.row = row
    entry.used = true
  }

  #drop(entry: Entry): void {
    this.#entries.delete(entry.id)
    this.bytes -= entry.bytes
  }

  #measure(entry: Entry): void {
    let bytes = this.#rowBytes
    if (entry.row !== undefined) {
      for (const field of this.#textFields) bytes += (entry.row[field] as string | Uint8Array | null)?.length ?? 0
    }
    this.bytes += bytes - entry.bytes
    entry.bytes = bytes
  }
}
