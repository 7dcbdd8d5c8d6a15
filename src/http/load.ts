import { LedgerError } from '#src/domain/errors.ts'

/** When to ask again; seconds. */
const retryAfterSeconds = 1

/**
 * Bounds how many requests are answered at once, by all threads that share the count. While the store is slow or away they
 * pile up: beyond the bound they are refused with `unavailable` at once, so that memory stays bounded and those that wait
 * still get an answer.
 */
export class Load {
  readonly atOnceMax: number
  readonly #count: Int32Array

  constructor(atOnceMax: number, count: Int32Array = new Int32Array(1)) {
    this.atOnceMax = atOnceMax
    this.#count = count
  }

  /** Requests that are being answered. */
  get atOnce(): number {
    return Atomics.load(this.#count, 0)
  }

  /** For a request that is to be answered; whoever calls it calls `leave` in the end. Throws `unavailable` beyond the bound. */
  enter(): void {
    const before = Atomics.add(this.#count, 0, 1)
    if (before < this.atOnceMax) return
    this.leave()
    const reason = `${before} requests are being answered already, which is the most`
    throw new LedgerError('unavailable', reason, { retryAfterSeconds })
  }

  leave(): void {
    Atomics.sub(this.#count, 0, 1)
  }
}
