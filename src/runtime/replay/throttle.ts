import { rest } from '#src/ports/clock.ts'

export interface ThrottleOptions {
  /** Most amount per second; undefined for no bound. Asked anew each time, so that it can change under way. */
  readonly perSecondMax: () => number | undefined
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number
  readonly wait?: (milliseconds: number, signal?: AbortSignal) => Promise<void>
}

export type Throttle = (amount: number, signal?: AbortSignal) => Promise<void>

/** Longest single wait, so that a bound that is lifted or a stop is noticed. */
const waitMaxMs = 250

/**
 * A token bucket that holds a second's worth at most: returns what is called with each amount that was done, and resolves
 * when the next may begin. What went over is paid back by waiting, so the mean over time keeps the bound.
 */
export function createThrottle({
  perSecondMax,
  now = () => performance.now(),
  wait = sleepFor,
}: ThrottleOptions): Throttle {
  let tokens: number | undefined
  let filledAtMs = now()
  const refill = (rate: number): number => {
    const atMs = now()
    const filled = tokens === undefined ? 0 : tokens + ((atMs - filledAtMs) / 1_000) * rate
    filledAtMs = atMs
    tokens = Math.min(filled, rate)
    return tokens
  }
  return async (amount, signal) => {
    const rate = perSecondMax()
    if (rate === undefined) {
      tokens = undefined
      return
    }
    refill(rate)
    tokens = (tokens ?? 0) - amount
    while (tokens < 0 && !signal?.aborted) {
      const current = perSecondMax()
      if (current === undefined) return
      await wait(Math.min(waitMaxMs, Math.ceil((-tokens / current) * 1_000)), signal)
      refill(current)
    }
  }
}

async function sleepFor(milliseconds: number, signal?: AbortSignal): Promise<void> {
  await rest(milliseconds, signal)
}
