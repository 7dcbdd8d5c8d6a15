import type { CollectionSchema, DeleteRow, PutRow, Row, Value } from '#src/ports/read-store.ts'
import { type RowId, type RowIds, rowIdsOf } from '#src/runtime/fold/row-id.ts'

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
  /** What it was before the event that is being folded wrote it; undefined unless it did. */
  was: 'absent' | 'clean' | 'dirty' | undefined
  before: Row | undefined
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
  readonly #ids: RowIds
  readonly #entries = new Map<RowId, Entry>()
  /** Asked for and not here. */
  readonly #missing = new Map<RowId, readonly Value[]>()
  #dirty: Entry[] = []
  /** What the event that is being folded wrote. */
  readonly #written: Entry[] = []
  bytes = 0
  /** How many times a row was asked for that was not here; only ever grows. */
  misses = 0

  constructor(collection: string, schema: CollectionSchema) {
    this.collection = collection
    this.#keyFields = schema.key
    const names = Object.keys(schema.fields)
    this.#textFields = names.filter((name) => !schema.fields[name]?.startsWith('int'))
    this.#rowBytes = entryBytes + fieldBytes * names.length
    this.#ids = rowIdsOf(schema)
  }

  /** The row, or a note that it has to be loaded. */
  want(key: readonly Value[]): Row | undefined {
    const id = this.#ids.ofKey(key)
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
    const entry = this.#entries.get(this.#ids.ofKey(key))
    if (entry === undefined) throw new RowMissing(this.collection, key)
    entry.used = true
    return entry.row
  }

  put(row: Row): void {
    const id = this.#ids.ofRow(row)
    const entry = this.#entries.get(id) ?? this.#added(id, this.#keyOf(row), 'absent')
    this.#write(entry, row)
  }

  remove(key: readonly Value[]): void {
    const id = this.#ids.ofKey(key)
    const entry = this.#entries.get(id) ?? this.#added(id, key, 'absent')
    this.#write(entry, undefined)
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
      const id = this.#ids.ofKey(key)
      if (this.#entries.has(id)) continue
      const entry = this.#added(id, key, undefined)
      entry.row = rows[index]
      this.#measure(entry)
    }
  }

  /** The event is folded: what it wrote stays. */
  keep(): void {
    const written = this.#written
    for (let index = 0; index < written.length; index++) {
      const entry = written[index]!
      entry.was = undefined
      entry.before = undefined
    }
    written.length = 0
  }

  /** The event is given up: what it wrote goes. */
  undo(): void {
    for (const entry of this.#written) {
      const { was } = entry
      entry.row = entry.before
      entry.was = undefined
      entry.before = undefined
      if (was === 'dirty') continue
      entry.dirty = false
      // Those that the event made dirty are the last ones.
      this.#dirty.pop()
      if (was === 'absent') this.#drop(entry)
    }
    this.#written.length = 0
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

  #keyOf(row: Row): readonly Value[] {
    return this.#keyFields.map((field) => row[field] ?? null)
  }

  #added(id: RowId, key: readonly Value[], was: Entry['was']): Entry {
    const entry: Entry = { id, key, row: undefined, dirty: false, used: true, bytes: 0, was, before: undefined }
    this.#entries.set(id, entry)
    if (was !== undefined) this.#written.push(entry)
    return entry
  }

  #write(entry: Entry, row: Row | undefined): void {
    if (entry.was === undefined) {
      entry.was = entry.dirty ? 'dirty' : 'clean'
      entry.before = entry.row
      this.#written.push(entry)
    }
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
