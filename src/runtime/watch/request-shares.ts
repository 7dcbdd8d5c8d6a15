import { beginPeriod } from '#src/runtime/watch/period-counts.ts'
import type { HttpRequestFigures } from '#src/runtime/watch/request-durations.ts'

export interface RequestShares {
  /** Share of requests that were answered with 5xx; 0 to 1. */
  readonly failed: number
  /** Share of those that took longer than a second. */
  readonly slow: number
}

const windowSeconds = 60
const slowSeconds = 1
/** One failure in a quiet minute tells nothing of the next request. */
const countMin = 3

/** Counters of a second: all requests, failed ones, slow ones. */
const countersPerSecond = 3
const secondLength = 1 + countersPerSecond

/** Length of the memory that the watches of several threads may share. */
export const requestCountsLength = windowSeconds * secondLength

/** How the requests of the last minute went, in sixty times three counters however many there are. */
export class RequestWatch {
  readonly #now: () => number
  readonly #prefix: string
  readonly #counts: Uint32Array

  /**
   * Milliseconds of a clock that only goes forwards, the same for all who share the counts; the beginning of the routes that
   * count.
   */
  constructor(now: () => number, prefix: string, counts: Uint32Array = new Uint32Array(requestCountsLength)) {
    this.#now = now
    this.#prefix = prefix
    this.#counts = counts
  }

  observe({ route, status, seconds, waited = false }: HttpRequestFigures): void {
    if (!route.startsWith(this.#prefix)) return
    const second = Math.floor(this.#now() / 1_000)
    const at = (second % windowSeconds) * secondLength
    beginPeriod(this.#counts, at, countersPerSecond, second)
    Atomics.add(this.#counts, at + 1, 1)
    if (status >= 500) Atomics.add(this.#counts, at + 2, 1)
    if (!waited && seconds > slowSeconds) Atomics.add(this.#counts, at + 3, 1)
  }

  get shares(): RequestShares {
    const oldest = Math.floor(this.#now() / 1_000) - windowSeconds
    const total = { count: 0, failed: 0, slow: 0 }
    for (let at = 0; at < requestCountsLength; at += secondLength) {
      const [second = 0, count = 0, failed = 0, slow = 0] = this.#counts.subarray(at, at + secondLength)
      if (second <= oldest) continue
      total.count += count
      total.failed += failed
      total.slow += slow
    }
    const share = (of: number): number => (of < countMin ? 0 : of / total.count)
    return { failed: share(total.failed), slow: share(total.slow) }
  }
}
