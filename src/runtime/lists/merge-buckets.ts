import { GrowingBytes } from '#src/runtime/lists/growing-bytes.ts'
import { bucketOf, fanOut, type ListShape } from '#src/runtime/lists/levels.ts'
import { type Block, blockEntries } from '#src/runtime/lists/open-bucket.ts'
import {
  blocksBit,
  composeInt64,
  entryBytes,
  hashTerm,
  recordBytes,
  recordOffset,
  viewOf,
} from '#src/runtime/lists/records.ts'

/** Records of an output from which terms with many go to blocks. */
const crowdedRecords = 256
const frequentRecords = 128

export interface MergedBuckets {
  /** Records of the eight buckets of the next level, in their order. */
  readonly outputs: readonly Uint8Array[]
  readonly blocks: readonly Block[]
}

/**
 * Makes one bucket of up to eight runs, oldest first, eight buckets of one run of `level`. Records keep their order. A term
 * that has blocks, or is frequent now, goes to blocks as a whole, so that blocks of a term never overlap.
 */
export function mergeBuckets(shape: ListShape, level: number, inputs: readonly Uint8Array[]): MergedBuckets {
  const blocks: Block[] = []
  const outputs = distribute(shape, level, inputs).map(({ records, hasMarks }) => {
    const bytes = records.bytes.subarray(0, records.length)
    const isCrowded = bytes.length > crowdedRecords * recordBytes(shape)
    return hasMarks || isCrowded ? moveToBlocks(shape, bytes, isCrowded, blocks) : bytes
  })
  return { outputs, blocks }
}

interface Part {
  readonly records: GrowingBytes
  hasMarks: boolean
}

function distribute(shape: ListShape, level: number, inputs: readonly Uint8Array[]): Part[] {
  const size = recordBytes(shape)
  const total = inputs.reduce((sum, { length }) => sum + length, 0)
  const capacity = Math.ceil(total / fanOut / size + 8) * size
  const parts = Array.from({ length: fanOut }, (): Part => ({ records: new GrowingBytes(capacity), hasMarks: false }))
  for (const input of inputs) {
    const view = viewOf(input)
    for (let offset = 0; offset < input.length; offset += size) {
      const kind = view.getUint8(offset)
      const hash = hashTerm(kind & ~blocksBit, view.getUint32(offset + 1), view.getUint32(offset + 5))
      const part = parts[bucketOf(shape, level, hash) & (fanOut - 1)]!
      if ((kind & blocksBit) !== 0) part.hasMarks = true
      part.records.append(input, offset, size)
    }
  }
  return parts
}

interface Term {
  readonly kind: number
  readonly high: number
  readonly low: number
  count: number
  /** Whether its entries go to blocks. */
  moves: boolean
  isMarked: boolean
  /** Entries that become the next block. */
  entries: GrowingBytes | undefined
  /** Terms that differ in the high half alone. */
  readonly next: Term | undefined
}

function moveToBlocks(shape: ListShape, records: Uint8Array, isCrowded: boolean, blocks: Block[]): Uint8Array {
  const size = recordBytes(shape)
  const view = viewOf(records)
  const terms = new TermTable()
  for (let offset = 0; offset < records.length; offset += size) {
    const term = terms.at(view, offset)
    if ((view.getUint8(offset) & blocksBit) !== 0) term.moves = true
    else if (++term.count >= frequentRecords && isCrowded) term.moves = true
  }
  const kept = new GrowingBytes(records.length)
  for (let offset = 0; offset < records.length; offset += size) {
    const term = terms.at(view, offset)
    const isMark = (view.getUint8(offset) & blocksBit) !== 0
    if (!term.moves || !term.isMarked) kept.append(records, offset, size)
    if (!term.moves) continue
    if (!term.isMarked) markLast(kept, shape)
    term.isMarked = true
    // The blocks behind a mark stand between what is before and after it.
    if (isMark) closeBlock(term, blocks)
    else addToBlock(shape, term, records, view, offset, blocks)
  }
  for (const term of terms.all()) closeBlock(term, blocks)
  return kept.copy()
}

function markLast({ view, length, bytes }: GrowingBytes, shape: ListShape): void {
  const at = length - recordBytes(shape)
  view.setUint8(at, view.getUint8(at) | blocksBit)
  bytes.fill(0, at + recordOffset.payload, length)
}

function addToBlock(
  shape: ListShape,
  term: Term,
  records: Uint8Array,
  view: DataView,
  offset: number,
  blocks: Block[],
): void {
  const size = entryBytes(shape)
  const time = offset + recordOffset.time
  const isFull = (term.entries?.length ?? 0) >= blockEntries(shape) * size
  if (isFull && !hasLastTime(term.entries!, size, view, time)) closeBlock(term, blocks)
  term.entries ??= new GrowingBytes(8 * size)
  term.entries.append(records, time, size)
}

function hasLastTime({ view, length }: GrowingBytes, size: number, other: DataView, offset: number): boolean {
  return view.getBigInt64(length - size) === other.getBigInt64(offset)
}

function closeBlock(term: Term, blocks: Block[]): void {
  const { kind, high, low, entries } = term
  if (!entries) return
  const from = composeInt64(entries.view.getUint32(0), entries.view.getUint32(4))
  blocks.push({ kind, high, low, from, entries: entries.copy() })
  term.entries = undefined
}

/** The terms of some records. */
class TermTable {
  readonly #byLow = new Map<number, Term>()
  readonly #all: Term[] = []

  at(view: DataView, offset: number): Term {
    const kind = view.getUint8(offset) & ~blocksBit
    const high = view.getUint32(offset + recordOffset.term)
    const low = view.getUint32(offset + recordOffset.term + 4)
    const key = low * blocksBit + kind
    const first = this.#byLow.get(key)
    for (let term = first; term; term = term.next) if (term.high === high) return term
    const fresh = { kind, high, low, count: 0, moves: false, isMarked: false, entries: undefined, next: first }
    this.#byLow.set(key, fresh)
    this.#all.push(fresh)
    return fresh
  }

  all(): readonly Term[] {
    return this.#all
  }
}
