import { segmentSize, windowSize } from '#projections/transactions/schema.ts'
import { firstTimeOf, postingKey } from '#queries/transactions/segments.ts'
import type { Row, RowReader } from '#src/ports/read-store.ts'

const windowsPerSegment = segmentSize / windowSize
const firstPage = 2
const pageGrowth = 4

/** A posting list: transactions of an account, of a type, that failed. */
export interface PostingTerm {
  readonly kind: number
  readonly term: bigint
}

export interface PostingCursorOptions {
  readonly reader: RowReader
  readonly list: PostingTerm
  readonly segment: number
  readonly descending: boolean
  /** Time from which the walk goes on in its direction; earlier windows of the walk are skipped. */
  readonly from: bigint | undefined
  /** Most windows that it holds. */
  readonly windowsMax: number
}

/** Walks the windows of one posting list within a segment, reading ahead more and more of them. */
export class PostingCursor {
  readonly #options: PostingCursorOptions
  readonly #prefix: readonly [number, number, bigint]
  #rows: Row[] = []
  #next = 0
  #page = firstPage
  #exhausted = false
  /** Next window to ask for, in the direction of the walk. */
  #window: number

  constructor(options: PostingCursorOptions) {
    const { segment, list, descending } = options
    this.#options = options
    this.#prefix = [segment, list.kind, list.term]
    this.#window = descending ? (segment + 1) * windowsPerSegment - 1 : segment * windowsPerSegment
  }

  /** Index of the window that `entries` belongs to; undefined when the list has no more. */
  async peek(): Promise<number | undefined> {
    if (this.#next >= this.#rows.length) await this.#read()
    return this.#rows[this.#next]?.['window'] as number | undefined
  }

  /** Entries of the window that `peek` told; moves on. */
  take(): Uint8Array {
    const row = this.#rows[this.#next++]
    if (row === undefined) throw new Error('take() without a window; call peek() first')
    return row['entries'] as Uint8Array
  }

  async #read(): Promise<void> {
    if (this.#exhausted) return
    const { reader, descending, from, windowsMax } = this.#options
    if (from !== undefined && this.#page === firstPage) this.#window = await this.#seek(from)
    const bound = { value: this.#window, inclusive: true }
    const limit = Math.min(this.#page, windowsMax)
    this.#rows = await reader.find({
      collection: 'postings',
      index: postingKey,
      prefix: this.#prefix,
      ...(descending ? { upper: bound } : { lower: bound }),
      descending,
      limit,
      select: ['window', 'entries'],
    })
    this.#next = 0
    this.#page *= pageGrowth
    this.#exhausted = this.#rows.length < limit
    const last = this.#rows.at(-1)?.['window'] as number | undefined
    if (last !== undefined) this.#window = descending ? last - 1 : last + 1
  }

  /** Binary search for the last window of this list that begins at or before a time. */
  async #seek(time: bigint): Promise<number> {
    let low = this.#prefix[0] * windowsPerSegment
    let high = low + windowsPerSegment - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      const [row] = await this.#options.reader.find({
        collection: 'postings',
        index: postingKey,
        prefix: this.#prefix,
        lower: { value: middle, inclusive: true },
        limit: 1,
        select: ['window', 'entries'],
      })
      if (row === undefined || firstTimeOf(row['entries'] as Uint8Array) > time) high = middle - 1
      else low = row['window'] as number
    }
    return low
  }
}
