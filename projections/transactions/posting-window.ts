import { type Posting, postingBytes, postingOffset, writePosting } from '#projections/transactions/postings.ts'
import { segmentSize, windowSize } from '#projections/transactions/schema.ts'
import type { Row } from '#src/ports/read-store.ts'

interface PostingList {
  readonly term: bigint
  bytes: Buffer
  length: number
  changed: boolean
}

const firstCapacity = 2

/** The posting lists of one window while it fills. */
export class PostingWindow {
  readonly #window: number
  readonly #segment: number
  /** By kind, then term. As a number where that is exact: maps find numbers several times faster than big integers. */
  readonly #lists: Map<number | bigint, PostingList>[] = []
  /** The posting that is being added, the same for all lists but for the flags. */
  readonly #entry = Buffer.alloc(postingBytes)

  constructor(index: number) {
    this.#window = index
    this.#segment = Math.floor((index * windowSize) / segmentSize)
  }

  /** Sets what the following calls of `add` add. */
  begin(posting: Omit<Posting, 'flags'>): void {
    writePosting(this.#entry, 0, { ...posting, flags: 0 })
  }

  add(kind: number, term: bigint, flags: number): void {
    const list = this.#listOf(kind, term)
    if (list.length === list.bytes.length) {
      const grown = Buffer.allocUnsafe(list.bytes.length * 2)
      grown.set(list.bytes)
      list.bytes = grown
    }
    this.#entry[postingOffset.flags] = flags
    list.bytes.set(this.#entry, list.length)
    list.length += postingBytes
    list.changed = true
  }

  /** One row per list that changed since the last call. */
  flush(put: (collection: string, row: Row) => void): void {
    for (const [kind, ofKind] of this.#lists.entries()) {
      for (const list of ofKind?.values() ?? []) {
        if (!list.changed) continue
        list.changed = false
        const { term, bytes, length } = list
        // A copy: the list may grow again before the row is written.
        const entries = Uint8Array.from(bytes.subarray(0, length))
        put('postings', { segment: this.#segment, kind, term, window: this.#window, entries })
      }
    }
  }

  #listOf(kind: number, term: bigint): PostingList {
    this.#lists[kind] ??= new Map()
    const ofKind = this.#lists[kind]
    const number = Number(term)
    const key = Number.isSafeInteger(number) ? number : term
    let list = ofKind.get(key)
    if (!list) {
      list = { term, bytes: Buffer.allocUnsafe(firstCapacity * postingBytes), length: 0, changed: true }
      ofKind.set(key, list)
    }
    return list
  }
}
