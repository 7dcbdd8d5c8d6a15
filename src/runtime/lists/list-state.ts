import type { Checkpoint, ListSettings, Row, Value } from '#src/ports/read-store.ts'
import { withLate } from '#src/runtime/lists/late-records.ts'
import {
  bucketOf,
  type ListShape,
  latePlaceOf,
  listShape,
  type MergeStep,
  mergesDue,
  placeOf,
  runEvents,
  runOf,
} from '#src/runtime/lists/levels.ts'
import { mergeBuckets } from '#src/runtime/lists/merge-buckets.ts'
import type { Block, NewEntry } from '#src/runtime/lists/open-bucket.ts'
import { OpenRun, type UnfilledBlock } from '#src/runtime/lists/open-run.ts'
import { composeInt64, entryBytes, hashTerm, viewOf } from '#src/runtime/lists/records.ts'
import { TermDirectory } from '#src/runtime/lists/term-directory.ts'

/** The store as the lists use it: rows as of the last commit, and puts into the next one. */
export interface ListStore {
  load(collection: string, keys: readonly (readonly Value[])[]): Promise<(Row | undefined)[]>
  put(collection: string, row: Row): void
}

/** One list of a projection: its run in the making, and the merges of those before. */
export class ListState {
  readonly shape: ListShape
  readonly #name: string
  #open: OpenRun | undefined
  #late: NewEntry[] = []
  readonly #directory: TermDirectory | undefined
  /** Buckets put since the last commit, which a store may not show before it. */
  readonly #uncommitted = new Map<number, Row>()

  constructor(name: string, list: ListSettings) {
    this.#name = name
    this.shape = listShape(list)
    if (this.shape.directory) this.#directory = new TermDirectory()
  }

  add(sequence: number, entry: NewEntry): void {
    const run = runOf(this.shape, sequence)
    this.#open ??= new OpenRun(this.shape, run)
    if (this.#open.run !== run) throw new Error(`list ${this.#name} is in run ${this.#open.run}, not in ${run}`)
    this.#open.add(entry)
    this.#directory?.add(entry.kind, composeInt64(entry.high, entry.low))
  }

  /** Of an event whose turn is over: run and merges have passed it. */
  addLate(entry: NewEntry): void {
    this.#late.push(entry)
    this.#directory?.add(entry.kind, composeInt64(entry.high, entry.low))
  }

  async flush(store: ListStore): Promise<void> {
    this.#flushOpen(store)
    if (this.#late.length > 0) await this.#flushLate(store)
    const terms = `${this.#name}Terms`
    const rows = await this.#directory?.takeRows((keys) => store.load(terms, keys))
    for (const row of rows ?? []) store.put(terms, row)
  }

  committed(): void {
    this.#uncommitted.clear()
  }

  /** After the event at `sequence`, which ends a window. */
  async endWindow(sequence: number, store: ListStore): Promise<void> {
    if (sequence % runEvents(this.shape, 0) === 0) {
      this.#flushOpen(store)
      this.#open = undefined
    }
    for (const step of mergesDue(this.shape, sequence)) await this.#merge(step, store)
  }

  /** Takes the run in the making up as of a checkpoint; rows may be ahead of it where a commit was interrupted. */
  async open({ position, time }: Checkpoint, store: Pick<ListStore, 'load'>): Promise<void> {
    this.#open = undefined
    this.#uncommitted.clear()
    if (position % runEvents(this.shape, 0) === 0) return
    const open = new OpenRun(this.shape, runOf(this.shape, position))
    const keys = Array.from({ length: this.shape.buckets }, (_, bucket) => [BigInt(placeOf(0, open.run, bucket))])
    const rows = await store.load(`${this.#name}Buckets`, keys)
    const unfilled: UnfilledBlock[] = []
    for (const [bucket, row] of rows.entries())
      if (row?.['run'] === open.run) unfilled.push(...open.restore(bucket, row['records'] as Uint8Array, time))
    await this.#fill(unfilled, time, store)
    this.#open = open
  }

  async #fill(blocks: readonly UnfilledBlock[], through: bigint, store: Pick<ListStore, 'load'>): Promise<void> {
    if (blocks.length === 0) return
    const keys = blocks.map(({ kind, high, low, from }) => [kind, composeInt64(high, low), from])
    const rows = await store.load(`${this.#name}Blocks`, keys)
    const size = entryBytes(this.shape)
    for (const [index, { entries }] of blocks.entries()) {
      const stored = rows[index]?.['entries'] as Uint8Array | undefined
      if (!stored) throw new Error(`list ${this.#name} marks a block that is not there: ${keys[index]!.join()}`)
      const view = viewOf(stored)
      let length = stored.length
      while (length > 0 && view.getBigInt64(length - size) > through) length -= size
      entries.append(stored, 0, length)
    }
  }

  async #flushLate(store: ListStore): Promise<void> {
    const byBucket = Map.groupBy(this.#late, ({ kind, high, low }) =>
      bucketOf(this.shape, 0, hashTerm(kind, high, low)),
    )
    this.#late = []
    const places = [...byBucket.keys()].map((bucket) => BigInt(latePlaceOf(bucket)))
    const rows = await store.load(
      `${this.#name}Buckets`,
      places.map((place) => [place]),
    )
    for (const [index, entries] of [...byBucket.values()].entries()) {
      const records = withLate(this.shape, rows[index]?.['records'] as Uint8Array | undefined, entries)
      store.put(`${this.#name}Buckets`, { place: places[index]!, run: 0, records })
    }
  }

  #flushOpen(store: ListStore): void {
    if (!this.#open) return
    const { run } = this.#open
    const { buckets, blocks } = this.#open.takeChanges()
    for (const { bucket, records } of buckets) this.#putBucket(store, 0, run, bucket, records)
    this.#putBlocks(store, blocks)
  }

  async #merge({ level, run, from, to }: MergeStep, store: ListStore): Promise<void> {
    const inputs = await this.#inputs(level - 1, run * 8, from, to, store)
    for (let bucket = from; bucket < to; bucket++) {
      const { outputs, blocks } = mergeBuckets(this.shape, level, inputs[bucket - from]!)
      for (const [index, records] of outputs.entries())
        if (records.length > 0) this.#putBucket(store, level, run, bucket * 8 + index, records)
      this.#putBlocks(store, blocks)
    }
  }

  /** Records of some buckets of eight runs, by bucket, the oldest run first; those that have none are left out. */
  async #inputs(level: number, run: number, from: number, to: number, store: ListStore): Promise<Uint8Array[][]> {
    const rows: (Row | undefined)[] = []
    const missing: { readonly at: number; readonly key: readonly [bigint] }[] = []
    for (let bucket = from; bucket < to; bucket++) {
      for (let each = run; each < run + 8; each++) {
        const place = placeOf(level, each, bucket)
        const row = this.#uncommitted.get(place)
        if (!row) missing.push({ at: rows.length, key: [BigInt(place)] })
        rows.push(row)
      }
    }
    const loaded = await store.load(
      `${this.#name}Buckets`,
      missing.map(({ key }) => key),
    )
    for (const [index, { at }] of missing.entries()) rows[at] = loaded[index]
    return Array.from({ length: to - from }, (_, index) =>
      rows
        .slice(index * 8, index * 8 + 8)
        .flatMap((row, at) => (row?.['run'] === run + at ? [row['records'] as Uint8Array] : [])),
    )
  }

  #putBucket(store: ListStore, level: number, run: number, bucket: number, records: Uint8Array): void {
    const place = placeOf(level, run, bucket)
    const row = { place: BigInt(place), run, records }
    this.#uncommitted.set(place, row)
    store.put(`${this.#name}Buckets`, row)
  }

  #putBlocks(store: ListStore, blocks: readonly Block[]): void {
    for (const { kind, high, low, from, entries } of blocks)
      store.put(`${this.#name}Blocks`, { kind, term: composeInt64(high, low), from, entries })
  }
}
