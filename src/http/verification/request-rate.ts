/** Clients that are counted within one second; those beyond share one place. */
const clientsMax = 10_000

export interface RateTold {
  readonly isOver: boolean
  readonly limit: number
  readonly remaining: number
}

/** Counts requests of a client within each second of the clock. */
export class RequestRate {
  readonly #perSecond: number
  readonly #now: () => number
  #second = 0
  #counts = new Map<string, number>()

  constructor(perSecond: number, now: () => number) {
    this.#perSecond = perSecond
    this.#now = now
  }

  /** undefined: nothing is limited. */
  take(client: string): RateTold | undefined {
    const limit = this.#perSecond
    if (limit === 0) return undefined
    const second = Math.floor(this.#now() / 1_000)
    if (second !== this.#second) {
      this.#second = second
      this.#counts = new Map()
    }
    const counted = this.#counts.has(client) || this.#counts.size < clientsMax ? client : ''
    const count = (this.#counts.get(counted) ?? 0) + 1
    this.#counts.set(counted, count)
    return { isOver: count > limit, limit, remaining: Math.max(0, limit - count) }
  }
}
