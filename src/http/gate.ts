import { LedgerError } from '#src/domain/errors.ts'

export interface GateOptions {
  /** How many may be inside at once. */
  readonly atOnceMax: number
  /** How many may wait for one of these to leave; further ones are refused. */
  readonly waitingMax: number
}

/** When to ask again; seconds. About what a search through a million rows takes. */
const retryAfterSeconds = 5

/**
 * Bounds how many requests do at once what takes rows and time from all others. A few more wait in the order in which they
 * came; the rest is refused with `overloaded`.
 */
export class Gate {
  readonly atOnceMax: number
  readonly waitingMax: number
  readonly #waiting = new Set<() => void>()
  #atOnce = 0
  #refused = 0

  constructor({ atOnceMax, waitingMax }: GateOptions) {
    this.atOnceMax = atOnceMax
    this.waitingMax = waitingMax
  }

  /** How many are inside. */
  get atOnce(): number {
    return this.#atOnce
  }

  get waiting(): number {
    return this.#waiting.size
  }

  /** How many were refused so far. */
  get refused(): number {
    return this.#refused
  }

  /** Resolves once inside, with what must be called to leave. The signal ends the wait with `unavailable`. */
  async enter(signal: AbortSignal): Promise<() => void> {
    if (this.#atOnce >= this.atOnceMax) await this.#wait(signal)
    else this.#atOnce += 1
    let left = false
    return () => {
      if (left) return
      left = true
      this.#leave()
    }
  }

  async #wait(signal: AbortSignal): Promise<void> {
    if (this.#waiting.size >= this.waitingMax) {
      this.#refused += 1
      const advice = `narrow the search by time or account, or ask again in ${retryAfterSeconds} s`
      throw new LedgerError('overloaded', `Too many searches at once; ${advice}`, { retryAfterSeconds })
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const giveUp = (): void => {
      this.#waiting.delete(resolve)
      reject(new LedgerError('unavailable', 'The request was given up while it waited for others'))
    }
    if (signal.aborted) giveUp()
    else this.#waiting.add(resolve)
    signal.addEventListener('abort', giveUp, { once: true })
    await promise.finally(() => signal.removeEventListener('abort', giveUp))
  }

  /** The place of one that leaves is that of the first who waits. */
  #leave(): void {
    const [next] = this.#waiting
    if (next === undefined) {
      this.#atOnce -= 1
      return
    }
    this.#waiting.delete(next)
    next()
  }
}
