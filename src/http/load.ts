import { LedgerError } from '#src/domain/errors.ts'

/** When to ask again; seconds. */
const retryAfterSeconds = 1

/**
 * Bounds how many requests are answered at once. While the store is slow or away they pile up: beyond the bound they are
 * refused with `unavailable` at once, so that memory stays bounded and those that wait still get an answer.
 */
export class Load {
  readonly atOnceMax: number
  #atOnce = 0

  constructor(atOnceMax: number) {
    this.atOnceMax = atOnceMax
  }

  /** Requests that are being answered. */
  get atOnce(): number {
    return this.#atOnce
  }

  /** For a request that is to be answered; whoever calls it calls `leave` in the end. Throws `unavailable` beyond the bound. */
  enter(): void {
    if (this.#atOnce >= this.atOnceMax) {
      const reason = `${this.#atOnce} requests are being answered already, which is the most`
      throw new LedgerError('unavailable', reason, { retryAfterSeconds })
    }
    this.#atOnce += 1
  }

  leave(): void {
    this.#atOnce -= 1
  }
}
