import { createHash, randomUUID } from 'node:crypto'
import { LedgerError } from '#src/domain/errors.ts'

/** What threads that answer requests count of those that wait. */
export interface WaitCounts {
  /** By thread. */
  readonly all: Int32Array
  /** By thread, then by the place that a client's name takes. */
  readonly byClient: Uint16Array
  /** Nobody who does not know it can choose an address that shares its place with another. */
  readonly seed: string
}

export interface WaitsOptions {
  readonly atOnceMax: number
  readonly perClientMax: number
  readonly counts?: WaitCounts
  /** From 1. */
  readonly thread?: number
}

/** Some 1,000 clients that wait share one of so many places with another one in 1.5 % of cases, and then a bound. */
const places = 1 << 16
/** When to ask again; seconds. */
const retryAfterSeconds = 1

/** For as many threads, in memory that a message to a thread shares rather than copies. */
export function waitCounts(threads = 1): WaitCounts {
  return {
    all: new Int32Array(new SharedArrayBuffer(threads * Int32Array.BYTES_PER_ELEMENT)),
    byClient: new Uint16Array(new SharedArrayBuffer(threads * places * Uint16Array.BYTES_PER_ELEMENT)),
    seed: randomUUID(),
  }
}

/**
 * Bounds how many requests wait for what has not come yet: of one client, so that he leaves room for others, and in all, by
 * all threads that share the counts. While they wait they are none of those that are answered at once.
 */
export class Waits {
  readonly atOnceMax: number
  readonly #perClientMax: number
  readonly #counts: WaitCounts
  readonly #own: number
  readonly #refused = { client: 0, all: 0 }

  /** What a thread had begun that is no more is nobody's wait any more. */
  constructor({ atOnceMax, perClientMax, counts = waitCounts(), thread = 1 }: WaitsOptions) {
    this.atOnceMax = atOnceMax
    this.#perClientMax = perClientMax
    this.#counts = counts
    this.#own = thread - 1
    Atomics.store(counts.all, this.#own, 0)
    counts.byClient.fill(0, this.#own * places, (this.#own + 1) * places)
  }

  /** Requests that wait. */
  get atOnce(): number {
    let all = 0
    for (let thread = 0; thread < this.#counts.all.length; thread++) all += Atomics.load(this.#counts.all, thread)
    return all
  }

  /** How many this thread has refused so far, by the bound that was reached. */
  get refused(): Readonly<Record<'client' | 'all', number>> {
    return this.#refused
  }

  /** For a request that is to wait; returns what must be called in the end. Throws `overloaded` beyond a bound. */
  enter(client: string): () => void {
    const place = this.#placeOf(client)
    this.#add(place, 1)
    let left = false
    const leave = (): void => {
      if (!left) this.#add(place, -1)
      left = true
    }
    const bound = this.#reachedBound(place)
    if (bound === undefined) return leave
    leave()
    this.#refused[bound] += 1
    const [who, most] = bound === 'client' ? ['of this address', this.#perClientMax] : ['', this.atOnceMax]
    const reason = `${most} requests ${who}`.trim()
    throw new LedgerError(
      'overloaded',
      `${reason} wait already, which is the most; ask again in ${retryAfterSeconds} s`,
      {
        retryAfterSeconds,
      },
    )
  }

  #reachedBound(place: number): 'client' | 'all' | undefined {
    if (this.#countAt(place) > this.#perClientMax) return 'client'
    return this.atOnce > this.atOnceMax ? 'all' : undefined
  }

  #placeOf(client: string): number {
    const digest = createHash('sha256').update(`${this.#counts.seed} ${client}`).digest()
    return digest.readUInt32BE() % places
  }

  #countAt(place: number): number {
    const { all, byClient } = this.#counts
    let count = 0
    for (let thread = 0; thread < all.length; thread++) count += Atomics.load(byClient, thread * places + place)
    return count
  }

  #add(place: number, change: 1 | -1): void {
    const { all, byClient } = this.#counts
    Atomics.add(byClient, this.#own * places + place, change)
    Atomics.add(all, this.#own, change)
  }
}
