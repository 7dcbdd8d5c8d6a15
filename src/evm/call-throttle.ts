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

  /** Takes a request and its gas, and returns what gives back the gas that it did not use. Throws `throttled`. */
  take(gas: bigint): (used: bigint) => void {
    this.#fill()
    if (this.#requests < 1) {
      const seconds = (1 - this.#requests) / this.#options.requestsPerSecond
      throw throttled('Requests per second rate limit exceeded', Math.ceil(seconds))
    }
    this.#requests -= 1
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
