/** Wall clock. Injected everywhere, so that a test or a conformance case can freeze it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }
