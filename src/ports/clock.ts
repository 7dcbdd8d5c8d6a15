import { setTimeout as sleep } from 'node:timers/promises'

/** Wall clock. Injected everywhere, so that a test or a conformance case can freeze it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

/** Waits so long, or until the signal says that there is nothing to wait for: that is no failure, the caller's loop looks at it. */
export async function rest(milliseconds: number, signal?: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, signal ? { signal } : {}).catch(() => undefined)
}
