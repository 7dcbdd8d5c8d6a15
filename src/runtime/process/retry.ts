import { type ErrorCode, isLedgerError, type LedgerError } from '#src/domain/errors.ts'
import { rest } from '#src/ports/clock.ts'
import type { Logger } from '#src/ports/logger.ts'

export interface RetryOptions {
  readonly signal?: AbortSignal | undefined
  readonly logger: Logger
  /** Anything that grows when an attempt gets something done: the pauses begin anew then. */
  readonly progress: () => number
  /** Further failures to wait out, besides those of a log or store that is away. */
  readonly alsoWaitFor?: readonly ErrorCode[]
  /** Further ones once it has been at work: at its beginning a person is there, who can be told. */
  readonly alsoWaitAtWork?: readonly ErrorCode[]
  /** Told before each pause. */
  readonly onAway?: (error: LedgerError) => void
  /** First and longest pause, milliseconds. */
  readonly retryMinMs: number
  readonly retryMaxMs: number
}

const awayCodes: readonly ErrorCode[] = [
  'log_unavailable',
  'store_unavailable',
  'registry_unavailable',
  'decisions_unavailable',
]

/**
 * Runs an attempt again, after growing pauses, as long as it fails because a log or store is away, that of decisions included. Every other
 * failure, and each one after the signal, rejects. Resolves when an attempt does, or when the signal ends a pause.
 */
export async function retryWhileAway(attempt: () => Promise<void>, options: RetryOptions): Promise<void> {
  const { signal, logger, progress, alsoWaitFor = [], alsoWaitAtWork = [], onAway, retryMinMs, retryMaxMs } = options
  const codes = new Set([...awayCodes, ...alsoWaitFor])
  let said: string | undefined
  for (let retryDelayMs = retryMinMs; ; retryDelayMs = Math.min(retryDelayMs * 2, retryMaxMs)) {
    const before = progress()
    try {
      await attempt()
      return
    } catch (error) {
      // Told to stop, nobody waits: what the last attempt failed of is said.
      if (signal?.aborted || !isLedgerError(error)) throw error
      if (!codes.has(error.code) && !(progress() > 0 && alsoWaitAtWork.includes(error.code))) throw error
      if (progress() > before) retryDelayMs = retryMinMs
      // Once per reason, in a line; every attempt with its stack is for those who look closely.
      if (error.message !== said)
        logger.warn({ code: error.code, reason: error.message }, 'cannot go on now, trying again')
      logger.debug({ err: error, retryDelayMs }, 'attempt failed')
      said = error.message
      onAway?.(error)
    }
    await rest(retryDelayMs, signal)
    if (signal?.aborted) return
  }
}
