import { type Posting, postingBytes, writePosting } from '#projections/transactions/postings.ts'
import { segmentSize, windowSize } from '#projections/transactions/schema.ts'
import type { Row } from '#src/ports/read-store.ts'

interface PostingList {
  readonly kind: number
  readonly term: bigint
  bytes: Buffer
  length: number
  changed: boolean
}

const firstCapacity = 4

/** The posting lists of one window while it fills. */
export class PostingWindow {
  readonly #window: number
  readonly #segment: number
  /** By kind, then term. */
  readonly #lists: Map<bigint, PostingList>[] = []

  constructor(index: number) {
    this.#window = index
    this.#segment = Math.floor((index * windowSize) / segmentSize)
  }

  add(kind: number, term: bigint, posting: Posting): void {
    this.#lists[kind] ??= new Map()
    const ofKind = this.#lists[kind]
    let list = ofKind.get(term)
    if (!list) {
      list = { kind, term, bytes: Buffer.allocUnsafe(firstCapacity * postingBytes), length: 0, changed: true }
      ofKind.set(term, list)
    }
    if (list.length === list.bytes.length) {
      const grown = Buffer.allocUnsafe(list.bytes.length * 2)
      list.bytes.copy(grown, 0, 0, list.length)
      list.bytes = grown
    }
    list.length = writePosting(list.bytes, list.length, posting)
    list.changed = true
  }

  /** One row per list that changed since the last call. */
  flush(put: (collection: string, row: Row) => void): void {
    for (const ofKind of this.#lists) {
      for (const list of ofKind?.values() ?? []) {
        if (!list.changed) continue
        list.changed = false
        const { kind, term, bytes, length } = list
        // A copy of the present content: the list may grow again before the row is written.
        put('postings', {
          segment: this.#segment,
          kind,
          term,
          window: this.#window,
          entries: Uint8Array.from(bytes.subarray(0, length)),
        })
      }
    }
  }
}
