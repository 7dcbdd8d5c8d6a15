import { rest } from '#src/ports/clock.ts'

export interface WaitOptions {
  readonly signal: AbortSignal
  readonly timeoutMs: number
  readonly pollMs?: number
}

const defaultPollMs = 100

/**
 * Asks again and again until there is an answer. undefined once the time is over or the signal is aborted, but never
 * before it has asked once.
 */
export async function waitFor<T>(
  probe: () => Promise<T | undefined>,
  { signal, timeoutMs, pollMs = defaultPollMs }: WaitOptions,
): Promise<T | undefined> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const answer = await probe()
    if (answer !== undefined || signal.aborted || performance.now() >= deadline) return answer
    await rest(pollMs, signal)
  }
}
