import type { CollectionSchema, DeleteRow, LoadSync, PutRow, Row, Value } from '#src/ports/read-store.ts'
import type { ByteArena } from '#src/runtime/fold/byte-arena.ts'
import { type RowId, type RowIds, rowIdsOf } from '#src/runtime/fold/row-id.ts'
import { createRowSlab, type RowSlab, type Slot, slotBytes } from '#src/runtime/fold/row-slab.ts'

/** A row's own cost in memory beside its columns: its place in the map, and the id where that is a text. */
const entryBytes = 80

const firstSlots = 64

/** Bits of a slot's state. */
const State = {
  /** There is such a row. */
  present: 1,
  /** Not written yet. */
  dirty: 2,
  /** Looked at since room was made last. */
  used: 4,
  /** The event that is being folded wrote it; what it wrote lies beside the slab until the event is folded. */
  written: 8,
  /** It was not here before that event. */
  isNew: 16,
} as const

/** The store could not say whether there is such a row, which is why. */
export class LoadFailed extends Error {
  override readonly cause: unknown

  constructor(collection: string, key: readonly Value[], cause: unknown) {
    super(`row ${key.join()} of ${collection} could not be loaded`)
    this.cause = cause
  }
}

export interface RowCacheOptions {
  readonly collection: string
  readonly schema: CollectionSchema
  readonly arena: ByteArena
  /** Where rows are loaded when they are read. */
  readonly loadSync?: LoadSync | undefined
  /** Called for a row that is not here and has to be loaded. */
  readonly missed: () => void
}

/**
 * The rows of one collection that a stateful fold works on: loaded when they are read, changed in memory, written at the commit,
 * and kept for later batches as long as there is room. That a row is absent is kept as well.
 */
export class RowCache {
  readonly collection: string
  readonly #slotBytes: number
  readonly #ids: RowIds
  readonly #slab: RowSlab
  /** Fields of the key. */
  readonly key: readonly string[]
  readonly #slots = new Map<RowId, Slot>()
  #slotIds: RowId[] = []
  #states = new Uint8Array(0)
  #bytes = new Float64Array(0)
  readonly #free: Slot[] = []
  #slotCount = 0
  /** Read and not here. */
  readonly #missing = new Map<RowId, readonly Value[]>()
  #dirty: Slot[] = []
  /** What the event that is being folded wrote, and as what. */
  readonly #written: Slot[] = []
  readonly #fresh: (Row | undefined)[] = []
  readonly #loadSync: LoadSync | undefined
  readonly #missed: () => void
  bytes = 0

  constructor({ collection, schema, arena, loadSync, missed }: RowCacheOptions) {
    this.collection = collection
    this.#loadSync = loadSync
    this.#missed = missed
    this.key = schema.key
    this.#slotBytes = entryBytes + slotBytes(schema)
    this.#ids = rowIdsOf(schema)
    this.#slab = createRowSlab(schema, arena)
  }

  /** The row; undefined where there is none, and where it is noted as one that has to be loaded. */
  get(key: readonly Value[]): Row | undefined {
    const id = this.#ids.ofKey(key)
    const slot = this.#slots.get(id)
    return slot === undefined ? this.#absent(id, key) : this.#read(slot)
  }

  /** The row that this one would replace. */
  replaced(row: Row): Row | undefined {
    const id = this.#ids.ofRow(row)
    const slot = this.#slots.get(id)
    return slot === undefined ? this.#absent(id, this.#keyOf(row)) : this.#read(slot)
  }

  /** Returns whether it is the first that the event writes here. */
  put(row: Row): boolean {
    const id = this.#ids.ofRow(row)
    return this.#write(this.#slots.get(id) ?? this.#added(id, State.isNew), row)
  }

  remove(key: readonly Value[]): boolean {
    const id = this.#ids.ofKey(key)
    const known = this.#slots.get(id)
    const slot = known ?? this.#added(id, State.isNew)
    if (known === undefined) this.#slab.writeKey(slot, key)
    return this.#write(slot, undefined)
  }

  /** Keys read since the last call that are not here. */
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
      if (!this.#slots.has(id)) this.#filled(id, key, rows[index])
    }
  }

  /** The event is folded: what it wrote stays. Returns how many rows are dirty now that were not. */
  keep(): number {
    const written = this.#written
    const before = this.#dirty.length
    for (let index = 0; index < written.length; index++) {
      const slot = written[index]!
      const row = this.#fresh[slot]
      this.#fresh[slot] = undefined
      this.#store(slot, row)
      const state = this.#states[slot]!
      if ((state & State.dirty) === 0) this.#dirty.push(slot)
      this.#states[slot] = (state | State.dirty) & ~(State.written | State.isNew)
    }
    written.length = 0
    return this.#dirty.length - before
  }

  /** The event is given up: what it wrote goes. */
  undo(): void {
    for (const slot of this.#written) {
      this.#fresh[slot] = undefined
      const state = this.#states[slot]!
      this.#states[slot] = state & ~(State.written | State.isNew)
      if ((state & State.isNew) !== 0) this.#drop(slot)
    }
    this.#written.length = 0
  }

  /** What a commit has to write. */
  changes(put: (row: PutRow) => void, remove: (row: DeleteRow) => void): void {
    const { collection } = this
    for (const slot of this.#dirty) {
      if ((this.#states[slot]! & State.present) !== 0) put({ collection, row: this.#slab.read(slot) })
      else remove({ collection, key: this.#slab.key(slot) })
    }
  }

  /** After the commit. */
  settle(): void {
    for (const slot of this.#dirty) {
      this.#states[slot]! &= ~State.dirty
      this.#measure(slot)
    }
    this.#dirty = []
  }

  /** Forgets about as many bytes, first what was not looked at since the last call. What is not written yet stays. */
  makeRoom(bytes: number): void {
    const least = Math.max(0, this.bytes - bytes)
    for (let pass = 0; pass < 2 && this.bytes > least; pass++) {
      for (const slot of this.#slots.values()) {
        if (this.bytes <= least) return
        const state = this.#states[slot]!
        if ((state & State.dirty) !== 0) continue
        if ((state & State.used) !== 0) this.#states[slot] = state & ~State.used
        else this.#drop(slot)
      }
    }
  }

  #keyOf(row: Row): Value[] {
    return this.key.map((field) => row[field] ?? null)
  }

  #read(slot: Slot): Row | undefined {
    const state = this.#states[slot]!
    if ((state & State.used) === 0) this.#states[slot] = state | State.used
    if ((state & State.written) !== 0) return this.#fresh[slot]
    return (state & State.present) === 0 ? undefined : this.#slab.read(slot)
  }

  #write(slot: Slot, row: Row | undefined): boolean {
    const state = this.#states[slot]!
    this.#fresh[slot] = row
    if ((state & State.written) !== 0) return false
    this.#states[slot] = state | State.written | State.used
    return this.#written.push(slot) === 1
  }

  #store(slot: Slot, row: Row | undefined): void {
    if (row !== undefined) {
      this.#slab.write(slot, row)
      this.#states[slot]! |= State.present
    } else if ((this.#states[slot]! & State.present) !== 0) {
      const key = this.#slab.key(slot)
      this.#states[slot]! &= ~State.present
      this.#slab.clear(slot)
      this.#slab.writeKey(slot, key)
    }
  }

  #absent(id: RowId, key: readonly Value[]): Row | undefined {
    if (this.#loadSync !== undefined) return this.#read(this.#loaded(id, key, this.#loadSync))
    this.#missing.set(id, key)
    this.#missed()
    return undefined
  }

  #loaded(id: RowId, key: readonly Value[], loadSync: LoadSync): Slot {
    try {
      return this.#filled(id, key, loadSync(this.collection, key))
    } catch (error) {
      throw new LoadFailed(this.collection, key, error)
    }
  }

  #filled(id: RowId, key: readonly Value[], row: Row | undefined): Slot {
    const slot = this.#added(id, 0)
    if (row === undefined) this.#slab.writeKey(slot, key)
    else this.#store(slot, row)
    this.#measure(slot)
    return slot
  }

  #added(id: RowId, state: number): Slot {
    const slot = this.#free.pop() ?? this.#nextSlot()
    this.#slots.set(id, slot)
    this.#slotIds[slot] = id
    this.#states[slot] = state | State.used
    this.#bytes[slot] = 0
    return slot
  }

  #nextSlot(): Slot {
    const slot = this.#slotCount++
    if (slot < this.#states.length) return slot
    const slots = Math.max(firstSlots, 2 * slot)
    this.#slab.grow(slots)
    const states = new Uint8Array(slots)
    states.set(this.#states)
    this.#states = states
    const bytes = new Float64Array(slots)
    bytes.set(this.#bytes)
    this.#bytes = bytes
    return slot
  }

  #drop(slot: Slot): void {
    this.#slots.delete(this.#slotIds[slot]!)
    this.#slotIds[slot] = 0
    this.#slab.clear(slot)
    this.bytes -= this.#bytes[slot]!
    this.#free.push(slot)
  }

  #measure(slot: Slot): void {
    const bytes = this.#slotBytes + this.#slab.referredBytes(slot)
    this.bytes += bytes - this.#bytes[slot]!
    this.#bytes[slot] = bytes
  }
}
