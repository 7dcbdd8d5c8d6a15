import { LedgerError } from '#src/domain/errors.ts'

export interface CallThrottleOptions {
  /** Less than one: one in so many seconds more. */
  readonly requestsPerSecond: number
  readonly gasPerSecond: bigint
  /** Share of unused gas that is given back, in percent. */
  readonly gasGivenBackPercent: number
  /** Milliseconds that only grow. */
  readonly now: () => number
}

const secondMs = 1_000

/** Bounds requests and their gas: both fill up with time, to what a second allows. */
export class CallThrottle {
  readonly #options: CallThrottleOptions
  #requests: number
  #gas: number
  #filled: number

  constructor(options: CallThrottleOptions) {
    this.#options = options
    this.#requests = this.#requestsMax
    this.#gas = Number(options.gasPerSecond)
    this.#filled = options.now()
  }

  /** Takes calls and their gas, and returns what gives back the gas that they did not use. Throws `throttled`. */
  take(gas: bigint, calls = 1): (used: bigint) => void {
    this.#fill()
    // As many as there ever are will do for more.
    const wanted = Math.min(calls, this.#requestsMax)
    if (this.#requests < wanted) {
      const seconds = (wanted - this.#requests) / this.#options.requestsPerSecond
      throw throttled('Requests per second rate limit exceeded', Math.ceil(seconds))
    }
    this.#requests -= wanted
    if (this.#gas < Number(gas)) throw throttled('Gas per second rate limit exceeded.', 1)
    this.#gas -= Number(gas)
    return (used) => {
      const unused = gas > used ? Number(gas - used) : 0
      const back = (unused * this.#options.gasGivenBackPercent) / 100
      this.#gas = Math.min(Number(this.#options.gasPerSecond), this.#gas + back)
    }
  }

  get #requestsMax(): number {
    return Math.max(1, this.#options.requestsPerSecond)
  }

  #fill(): void {
    const { requestsPerSecond, gasPerSecond, now } = this.#options
    const time = now()
    const seconds = (time - this.#filled) / secondMs
    this.#filled = time
    this.#requests = Math.min(this.#requestsMax, this.#requests + seconds * requestsPerSecond)
    this.#gas = Math.min(Number(gasPerSecond), this.#gas + seconds * Number(gasPerSecond))
  }
}

function throttled(message: string, retryAfterSeconds: number): LedgerError {
  return new LedgerError('throttled', message, { retryAfterSeconds })
}
