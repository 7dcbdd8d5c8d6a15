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

interface Second {
  second: number
  count: number
  failed: number
  slow: number
}

/** How the requests of the last minute went, in sixty counters however many there are. */
export class RequestWatch {
  readonly #seconds: Second[] = Array.from({ length: windowSeconds }, () => ({
    second: -1,
    count: 0,
    failed: 0,
    slow: 0,
  }))
  readonly #now: () => number
  readonly #prefix: string

  /** Milliseconds of a clock that only goes forwards; the beginning of the routes that count. */
  constructor(now: () => number, prefix: string) {
    this.#now = now
    this.#prefix = prefix
  }

  observe({ route, status, seconds, waited = false }: HttpRequestFigures): void {
    if (!route.startsWith(this.#prefix)) return
    const second = Math.floor(this.#now() / 1_000)
    const own = this.#seconds[second % windowSeconds]!
    if (own.second !== second) Object.assign(own, { second, count: 0, failed: 0, slow: 0 })
    own.count += 1
    if (status >= 500) own.failed += 1
    if (!waited && seconds > slowSeconds) own.slow += 1
  }

  get shares(): RequestShares {
    const oldest = Math.floor(this.#now() / 1_000) - windowSeconds
    const total = { count: 0, failed: 0, slow: 0 }
    for (const { second, count, failed, slow } of this.#seconds) {
      if (second <= oldest) continue
      total.count += count
      total.failed += failed
      total.slow += slow
    }
    const share = (of: number): number => (of < countMin ? 0 : of / total.count)
    return { failed: share(total.failed), slow: share(total.slow) }
  }
}
