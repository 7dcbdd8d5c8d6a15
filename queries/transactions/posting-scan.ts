import { postingBytes, postingOffset } from '#projections/transactions/postings.ts'

export interface PostingFilter {
  /** Inclusive consensus times. */
  readonly lower: bigint
  readonly upper: bigint
  readonly success: boolean | undefined
  readonly matchesType: ((type: number) => boolean) | undefined
  /** At least one of these partyFlag bits; 0 for no condition. */
  readonly flags: number
}

/** Walks packed postings from either end over those that pass a filter. Tests single bytes before it makes a bigint. */
export class PostingScan {
  readonly #view: DataView
  readonly #filter: PostingFilter
  readonly #step: number
  #offset: number
  /** Consensus time of the posting it stands at; undefined at the end. */
  time: bigint | undefined

  constructor(bytes: Uint8Array, filter: PostingFilter, descending: boolean) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#filter = filter
    this.#step = descending ? -postingBytes : postingBytes
    this.#offset = descending ? bytes.byteLength - postingBytes : 0
    this.advance()
  }

  /** Moves on to the next posting that passes. */
  advance(): void {
    const { lower, upper } = this.#filter
    const end = this.#view.byteLength
    for (; this.#offset >= 0 && this.#offset < end; this.#offset += this.#step) {
      if (!this.#passes(this.#offset)) continue
      const time = this.#view.getBigInt64(this.#offset)
      if (time < lower || time > upper) continue
      this.#offset += this.#step
      this.time = time
      return
    }
    this.time = undefined
  }

  #passes(offset: number): boolean {
    const { success, matchesType, flags } = this.#filter
    if (flags !== 0 && (this.#view.getUint8(offset + postingOffset.flags) & flags) === 0) return false
    if (success !== undefined && (this.#view.getUint8(offset + postingOffset.success) === 1) !== success) return false
    return matchesType === undefined || matchesType(this.#view.getUint16(offset + postingOffset.type))
  }
}
