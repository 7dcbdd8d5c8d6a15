import { setTimeout as sleep } from 'node:timers/promises'
import { isLedgerError, type LedgerError } from '#src/domain/errors.ts'
import type { Logger } from '#src/ports/logger.ts'

export interface RetryOptions {
  readonly signal: AbortSignal
  readonly logger: Logger
  /** Anything that grows when an attempt gets something done: the pauses begin anew then. */
  readonly progress: () => number
  /** Told before each pause. */
  readonly onAway: (error: LedgerError) => void
  /** First and longest pause, milliseconds. */
  readonly retryMinMs: number
  readonly retryMaxMs: number
}

/**
 * Runs an attempt again, after growing pauses, as long as it fails because the log or the store is away. Every other
 * failure, and each one after the signal, rejects. Resolves when an attempt does, or when the signal ends a pause.
 */
export async function retryWhileAway(attempt: () => Promise<void>, options: RetryOptions): Promise<void> {
  const { signal, logger, progress, onAway, retryMinMs, retryMaxMs } = options
  for (let retryDelayMs = retryMinMs; ; retryDelayMs = Math.min(retryDelayMs * 2, retryMaxMs)) {
    const before = progress()
    try {
      await attempt()
      return
    } catch (error) {
      if (!isAway(error) || signal.aborted) throw error
      if (progress() > before) retryDelayMs = retryMinMs
      logger.warn({ err: error, retryDelayMs }, 'log or store away, trying again')
      onAway(error)
    }
    await sleep(retryDelayMs, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return
  }
}

function isAway(error: unknown): error is LedgerError {
  return isLedgerError(error, 'log_unavailable') || isLedgerError(error, 'store_unavailable')
}
