import type {
  DeleteRow,
  LoadSync,
  ProjectionSchema,
  ProjectionWriter,
  PutRow,
  Row,
  Value,
} from '#src/ports/read-store.ts'
import { ByteArena } from '#src/runtime/fold/byte-arena.ts'
import type { AnyProjection, FoldedRows, ListEntry } from '#src/runtime/fold/projection.ts'
import { RowCache } from '#src/runtime/fold/row-cache.ts'
import { assertRow } from '#src/runtime/fold/row-check.ts'
import type { RowKeeper } from '#src/runtime/fold/row-memory.ts'
import { Succession, type WrittenRows } from '#src/runtime/fold/succession.ts'
import type { ListWriter } from '#src/runtime/lists/list-writer.ts'

export interface FoldRowsOptions {
  readonly schema: ProjectionSchema
  readonly lists?: ListWriter | undefined
  readonly loadSync?: LoadSync | undefined
  /** Whether what is put is held against the schema: what a store refuses later stops all that is committed with it. */
  readonly isChecked?: boolean
}

/**
 * The rows that one projection works on: state, which is cached and written at the commit, and facts, which are only added
 * and pass through. What an event wrote counts only once the whole event is folded.
 */
export class FoldRows implements FoldedRows<ProjectionSchema>, RowKeeper {
  readonly #caches = new Map<string, RowCache>()
  readonly #successions = new Map<RowCache, Succession>()
  readonly #all: readonly RowCache[]
  readonly #arena = new ByteArena()
  readonly #collections: ProjectionSchema['collections']
  /** Facts of the event that is being folded. */
  readonly #facts: PutRow[] = []
  #latest: RowCache | undefined
  /** The row that was read last, while nothing was written since, and where it is from. */
  #got: Row | undefined
  #gotOf: RowCache | undefined
  /** Caches that it wrote to. */
  readonly #touched: RowCache[] = []
  /** Rows of state that the next commit writes. */
  dirtyRows = 0
  /** How many times a row was read that is not here and has to be loaded; only ever grows. */
  missing = 0
  /** A fold relies on what was loaded for its batch. */
  #pinned = false

  readonly #written: WrittenRows = {
    read: (collection, key) => this.get(collection, ...key),
    write: (collection, row) => this.#write(collection, row),
    erase: (collection, key) => this.remove(collection, ...key),
  }
  readonly #lists: ListWriter | undefined
  readonly #isChecked: boolean

  constructor({ schema: { collections }, lists, loadSync, isChecked = false }: FoldRowsOptions) {
    this.#collections = collections
    this.#lists = lists
    this.#isChecked = isChecked
    const missed = (): void => void this.missing++
    for (const [collection, schema] of Object.entries(collections)) {
      if (schema.kind === 'facts') continue
      const cache = new RowCache({ collection, schema, arena: this.#arena, loadSync, missed })
      this.#caches.set(collection, cache)
      if (schema.kind === 'versioned') this.#successions.set(cache, new Succession(collection, schema))
    }
    this.#all = [...this.#caches.values()]
  }

  get bytes(): number {
    let bytes = 0
    for (const cache of this.#all) bytes += cache.bytes
    return bytes
  }

  get(collection: string, ...key: readonly Value[]): Row | undefined {
    this.#gotOf = this.#cache(collection)
    this.#got = this.#gotOf.get(key)
    return this.#got
  }

  put(collection: string, row: Row): void {
    if (this.#isChecked) assertRow(collection, this.#collections[collection], row)
    const cache = this.#find(collection)
    const succession = cache && this.#successions.get(cache)
    if (succession) succession.put(row, this.#newest(cache, row), this.#written)
    else this.#write(collection, row)
  }

  remove(collection: string, ...key: readonly Value[]): void {
    const cache = this.#cache(collection)
    if (cache.remove(key)) this.#touched.push(cache)
    this.#got = undefined
  }

  add(list: string, { kind, term, time, payload }: ListEntry): void {
    if (!this.#lists) throw new Error(`there is no list ${list}`)
    this.#lists.add(list, kind, term, time, payload)
  }

  /** Loads what was read since the last call and is not here. Resolves to whether there was anything. */
  async load(writer: Pick<ProjectionWriter, 'load'>): Promise<boolean> {
    const lacking = this.#all
      .map((cache) => ({ cache, keys: cache.takeMissing() }))
      .filter(({ keys }) => keys.length > 0)
    await Promise.all(
      lacking.map(async ({ cache, keys }) => cache.fill(keys, await writer.load(cache.collection, keys))),
    )
    return lacking.length > 0
  }

  /** The event is folded. Hands out the facts it brought. */
  keep(put: (collection: string, row: Row) => void): void {
    if (this.#touched.length > 0) {
      for (const cache of this.#touched) this.dirtyRows += cache.keep()
      this.#touched.length = 0
    }
    if (this.#facts.length > 0) {
      for (const { collection, row } of this.#facts) put(collection, row)
      this.#facts.length = 0
    }
    this.#got = undefined
    // Only now: facts may have bytes of rows as they were before.
    this.#arena.settle()
  }

  /** The event is given up. */
  undo(): void {
    for (const cache of this.#touched) cache.undo()
    this.#touched.length = 0
    this.#lists?.reject()
    this.#facts.length = 0
    this.#got = undefined
  }

  /** What a commit has to write of the state. */
  changes(put: (row: PutRow) => void, remove: (row: DeleteRow) => void): void {
    for (const cache of this.#all) cache.changes(put, remove)
  }

  settle(): void {
    for (const cache of this.#all) cache.settle()
    this.dirtyRows = 0
  }

  /** Keeps all rows that are here while the work goes on. */
  async pinned<T>(work: () => Promise<T>): Promise<T> {
    this.#pinned = true
    try {
      return await work()
    } finally {
      this.#pinned = false
    }
  }

  makeRoom(bytes: number): void {
    const all = this.bytes
    if (this.#pinned || all === 0) return
    for (const cache of this.#all) cache.makeRoom((cache.bytes / all) * bytes)
  }

  /** What a row would replace: usually what was read just before. */
  #newest(cache: RowCache, row: Row): Row | undefined {
    const got = this.#got
    if (got === undefined || this.#gotOf !== cache) return cache.replaced(row)
    return cache.key.every((field) => got[field] === row[field]) ? got : cache.replaced(row)
  }

  #write(collection: string, row: Row): void {
    const cache = this.#find(collection)
    this.#got = undefined
    if (cache) {
      if (cache.put(row)) this.#touched.push(cache)
    } else if (this.#collections[collection]) this.#facts.push({ collection, row })
    else throw new Error(`there is no collection ${collection}`)
  }

  /** Most calls are about the collection of the call before. */
  #find(collection: string): RowCache | undefined {
    if (this.#latest?.collection !== collection) this.#latest = this.#caches.get(collection)
    return this.#latest
  }

  #cache(collection: string): RowCache {
    const cache = this.#find(collection)
    if (!cache)
      throw new Error(`collection ${collection} does not exist, or only grows: a fold cannot read or remove its rows`)
    return cache
  }
}

/** The rows that a projection's folds work on, checked where an event that writes others is passed over. */
export function foldRowsOf({ schema, passesOver }: AnyProjection, lists?: ListWriter, loadSync?: LoadSync): FoldRows {
  return new FoldRows({ schema, lists, loadSync, isChecked: passesOver })
}
