import { segmentSize, windowSize } from '#projections/transactions/schema.ts'
import type { TransactionRows } from '#queries/transactions/reads.ts'
import { firstTimeOf, postingKey } from '#queries/transactions/segments.ts'

const windowsPerSegment = segmentSize / windowSize
const firstPage = 2
const pageGrowth = 4

/** A posting list: transactions of an account, of a type, that failed. */
export interface PostingTerm {
  readonly kind: number
  readonly term: bigint
}

export interface PostingCursorOptions {
  readonly rows: TransactionRows
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
  #windows: { readonly window: number; readonly entries: Uint8Array }[] = []
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
    if (this.#next >= this.#windows.length) await this.#read()
    return this.#windows[this.#next]?.window
  }

  /** Entries of the window that `peek` told; moves on. */
  take(): Uint8Array {
    const row = this.#windows[this.#next++]
    if (row === undefined) throw new Error('take() without a window; call peek() first')
    return row.entries
  }

  async #read(): Promise<void> {
    if (this.#exhausted) return
    const { rows, descending, from, windowsMax } = this.#options
    if (from !== undefined && this.#page === firstPage) this.#window = await this.#seek(from)
    const bound = { value: this.#window, inclusive: true }
    const limit = Math.min(this.#page, windowsMax)
    this.#windows = await rows.find({
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
    this.#exhausted = this.#windows.length < limit
    const last = this.#windows.at(-1)?.window
    if (last !== undefined) this.#window = descending ? last - 1 : last + 1
  }

  /** Binary search for the last window of this list that begins at or before a time. */
  async #seek(time: bigint): Promise<number> {
    let low = this.#prefix[0] * windowsPerSegment
    let high = low + windowsPerSegment - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      const [row] = await this.#options.rows.find({
        collection: 'postings',
        index: postingKey,
        prefix: this.#prefix,
        lower: { value: middle, inclusive: true },
        limit: 1,
        select: ['window', 'entries'],
      })
      if (row === undefined || firstTimeOf(row.entries) > time) high = middle - 1
      else low = row.window
    }
    return low
  }
}
