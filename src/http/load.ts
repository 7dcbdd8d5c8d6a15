import { LedgerError } from '#src/domain/errors.ts'

/** When to ask again; seconds. */
const retryAfterSeconds = 1

/**
 * Bounds how many requests are answered at once, by all threads that share the counts. While the store is slow or away they
 * pile up: beyond the bound they are refused with `unavailable` at once, so that memory stays bounded and those that wait
 * still get an answer.
 */
export class Load {
  readonly atOnceMax: number
  readonly #counts: Int32Array
  readonly #own: number

  /** `counts` has one for each thread. What a thread had begun that is no more is nobody's request any more. */
  constructor(atOnceMax: number, counts: Int32Array = new Int32Array(1), thread = 1) {
    this.atOnceMax = atOnceMax
    this.#counts = counts
    this.#own = thread - 1
    Atomics.store(counts, this.#own, 0)
  }

  /** Requests that are being answered. */
  get atOnce(): number {
    let all = 0
    for (let thread = 0; thread < this.#counts.length; thread++) all += Atomics.load(this.#counts, thread)
    return all
  }

  /** For a request that is to be answered; whoever calls it calls `leave` in the end. Throws `unavailable` beyond the bound. */
  enter(): void {
    Atomics.add(this.#counts, this.#own, 1)
    const { atOnce } = this
    if (atOnce <= this.atOnceMax) return
    this.leave()
    const reason = `${atOnce - 1} requests are being answered already, which is the most`
    throw new LedgerError('unavailable', reason, { retryAfterSeconds })
  }

  leave(): void {
    Atomics.sub(this.#counts, this.#own, 1)
  }
}

/** The place of one request among those that are answered: it has none while it only waits. */
export class Place {
  readonly #load: Load
  #taken = false

  constructor(load: Load) {
    this.#load = load
  }

  /** Throws `unavailable` where there is none left. */
  take(): void {
    this.#load.enter()
    this.#taken = true
  }

  giveBack(): void {
    if (this.#taken) this.#load.leave()
    this.#taken = false
  }
}
