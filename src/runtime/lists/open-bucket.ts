import { GrowingBytes } from '#src/runtime/lists/growing-bytes.ts'
import type { ListShape } from '#src/runtime/lists/levels.ts'
import {
  blocksBit,
  composeInt64,
  entryBytes,
  recordBytes,
  recordOffset,
  type TermWords,
  writePayload,
} from '#src/runtime/lists/records.ts'

/** SQLite stores rows of up to 2,030 bytes beside each other where their key is not a single integer. */
const blockBytes = 1_920

/** Entries of a block, unless more have one time. */
export function blockEntries(shape: ListShape): number {
  return Math.floor(blockBytes / entryBytes(shape))
}
/** Records of a bucket from which it is asked whether single terms fill it, and then with every so manieth. */
const crowdedRecords = 256
const askEvery = 16
/** Records of one term in a crowded bucket from which further ones go to blocks. */
const frequentRecords = 64
const firstCapacity = 8

/** An entry on its way into a bucket: its time in halves, as records have it. */
export interface NewEntry extends TermWords {
  readonly timeHigh: number
  readonly timeLow: number
  readonly payload: number
}

/** A block that is complete, or that grows. */
export interface Block extends TermWords {
  readonly from: bigint
  readonly entries: Uint8Array
}

interface FrequentTerm extends TermWords {
  /** Entries of the time when it became frequent stay together. */
  readonly sinceHigh: number
  readonly sinceLow: number
  block: { readonly from: bigint; readonly entries: GrowingBytes; changed: boolean } | undefined
}

/**
 * A bucket of the run in the making. Its records stay in the order they came; a term that fills it goes on in blocks, so
 * that the others are found among few. What it does depends on the entries alone, in whatever pieces they come.
 */
export class OpenBucket {
  readonly records: GrowingBytes
  /** Since the last flush. */
  changed = false
  readonly #shape: ListShape
  readonly #recordBytes: number
  readonly #frequent: FrequentTerm[] = []
  /** Without marks. */
  #count = 0
  #full: Block[] = []

  constructor(shape: ListShape) {
    this.#shape = shape
    this.#recordBytes = recordBytes(shape)
    this.records = new GrowingBytes(firstCapacity * this.#recordBytes)
  }

  add(entry: NewEntry): void {
    this.changed = true
    if (this.#frequent.length > 0) {
      const frequent = this.#findFrequent(entry)
      if (frequent && (frequent.sinceHigh !== entry.timeHigh || frequent.sinceLow !== entry.timeLow)) {
        this.#addToBlock(frequent, entry)
        return
      }
    }
    this.#append(entry)
  }

  /** Blocks that are new or have grown since the last call. */
  takeBlocks(): Block[] {
    const taken = this.#full
    this.#full = []
    for (const { kind, high, low, block } of this.#frequent) {
      if (!block?.changed) continue
      block.changed = false
      taken.push({ kind, high, low, from: block.from, entries: block.entries.copy() })
    }
    return taken
  }

  /** Takes a stored record up again, in the order they were stored. */
  restore(records: Uint8Array, view: DataView, offset: number): void {
    const kind = view.getUint8(offset)
    const high = view.getUint32(offset + recordOffset.term)
    const low = view.getUint32(offset + recordOffset.term + 4)
    const timeHigh = view.getUint32(offset + recordOffset.time)
    const timeLow = view.getUint32(offset + recordOffset.time + 4)
    if ((kind & blocksBit) === 0) {
      this.records.append(records, offset, this.#recordBytes)
      this.#counted({ kind, high, low, timeHigh, timeLow })
      return
    }
    const term = { kind: kind & ~blocksBit, high, low }
    this.records.append(records, offset, this.#recordBytes)
    const frequent = this.#findFrequent(term)
    if (!frequent) throw new Error(`a bucket marks blocks of ${kind} ${high} ${low}, which are not frequent in it`)
    const from = composeInt64(timeHigh, timeLow)
    frequent.block = { from, entries: new GrowingBytes(blockBytes), changed: false }
  }

  /** Blocks that grow, as far as `restore` knows them: without their entries. */
  unfilledBlocks(): (TermWords & { readonly from: bigint; readonly entries: GrowingBytes })[] {
    return this.#frequent.flatMap(({ kind, high, low, block }) => (block ? [{ kind, high, low, ...block }] : []))
  }

  #append({ kind, high, low, timeHigh, timeLow, payload }: NewEntry): void {
    this.#write(kind, high, low, timeHigh, timeLow, payload)
    this.#counted({ kind, high, low, timeHigh, timeLow })
  }

  #write(kind: number, high: number, low: number, timeHigh: number, timeLow: number, payload: number): void {
    const at = this.#extend()
    const { view } = this.records
    view.setUint8(at, kind)
    view.setUint32(at + 1, high)
    view.setUint32(at + 5, low)
    view.setUint32(at + 9, timeHigh)
    view.setUint32(at + 13, timeLow)
    if (this.#shape.payloadBytes === 4) view.setUint32(at + 17, payload)
    else writePayload(view, at + recordOffset.payload, this.#shape.payloadBytes, payload)
  }

  #extend(): number {
    return this.records.extend(this.#recordBytes)
  }

  #counted(entry: Omit<NewEntry, 'payload'>): void {
    this.#count += 1
    if (this.#count <= crowdedRecords || this.#count % askEvery !== 0) return
    if (this.#countOf(entry) < frequentRecords || this.#findFrequent(entry)) return
    const { kind, high, low, timeHigh: sinceHigh, timeLow: sinceLow } = entry
    this.#frequent.push({ kind, high, low, sinceHigh, sinceLow, block: undefined })
  }

  #countOf({ kind, high, low }: TermWords): number {
    const { view, length } = this.records
    let count = 0
    for (let at = 0; at < length; at += this.#recordBytes)
      if (view.getUint32(at + 5) === low && view.getUint32(at + 1) === high && view.getUint8(at) === kind) count += 1
    return count
  }

  #findFrequent({ kind, high, low }: TermWords): FrequentTerm | undefined {
    for (const each of this.#frequent) if (each.low === low && each.high === high && each.kind === kind) return each
    return undefined
  }

  #addToBlock(frequent: FrequentTerm, { timeHigh, timeLow, payload }: NewEntry): void {
    const size = entryBytes(this.#shape)
    let { block } = frequent
    if (
      !block ||
      (block.entries.length >= blockEntries(this.#shape) * size && !endsAt(block.entries, size, timeHigh, timeLow))
    ) {
      const { kind, high, low } = frequent
      if (block?.changed) this.#full.push({ kind, high, low, from: block.from, entries: block.entries.copy() })
      block = { from: composeInt64(timeHigh, timeLow), entries: new GrowingBytes(8 * size), changed: true }
      frequent.block = block
      this.#write(kind | blocksBit, high, low, timeHigh, timeLow, 0)
    }
    block.changed = true
    const at = block.entries.extend(size)
    const { view } = block.entries
    view.setUint32(at, timeHigh)
    view.setUint32(at + 4, timeLow)
    writePayload(view, at + 8, this.#shape.payloadBytes, payload)
  }
}

function endsAt({ view, length }: GrowingBytes, size: number, timeHigh: number, timeLow: number): boolean {
  return view.getUint32(length - size + 4) === timeLow && view.getUint32(length - size) === timeHigh
}
