import { type ErrorCode, isLedgerError, type LedgerError } from '#src/domain/errors.ts'
import { rest } from '#src/ports/clock.ts'
import type { Logger } from '#src/ports/logger.ts'
import type { MessageLog } from '#src/ports/message-log.ts'

const anotherCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'owner_busy',
  'log_writer_busy',
  'owner_fenced',
  'log_writer_fenced',
])

/** Whether an attempt failed because another importer is at work, or took this one's right away. */
export function isAnotherAtWork(error: unknown): error is LedgerError {
  return isLedgerError(error) && anotherCodes.has(error.code)
}

export interface StandbyOptions {
  readonly signal: AbortSignal
  readonly logger: Logger
  /** How often the other one is looked for. */
  readonly pollMs: number
  /** Anything that grows when this process gets its turn. */
  readonly turns: () => number
  /** Who is at work, for people; undefined where that is not known. */
  readonly ownerName: () => Promise<string | undefined>
  /** Told each time that the wait goes on. */
  readonly onStandby: (error: LedgerError) => void
  /** Further wait before the next attempt. */
  readonly beforeRetry: (error: LedgerError) => Promise<void>
}

/**
 * Runs an attempt, and again for as long as another importer is at work: one works, any number stand by. The attempt
 * itself finds out whether it is its turn, and never takes the right from one that lives. Every other failure rejects.
 */
export async function runOrStandBy(attempt: () => Promise<void>, options: StandbyOptions): Promise<void> {
  const { signal, logger, pollMs, turns, ownerName, onStandby, beforeRetry } = options
  let saidAtTurn: number | undefined
  while (!signal.aborted) {
    try {
      return await attempt()
    } catch (error) {
      if (!isAnotherAtWork(error)) throw error
      onStandby(error)
      if (saidAtTurn !== turns()) {
        saidAtTurn = turns()
        const fields = { code: error.code, owner: await ownerName(), reason: error.message }
        logger.warn(fields, 'another importer is at work; this one stands by and takes over when it is gone')
      }
      await beforeRetry(error)
    }
    await rest(pollMs, signal)
  }
}

export interface QuietOptions {
  /** How long the log must not have grown. */
  readonly quietMs: number
  readonly pollMs: number
  readonly signal: AbortSignal
}

/**
 * Resolves once nobody has appended for a while. An importer that was fenced waits for this before it tries again: taking
 * the right back from one that works would only make two of them take turns at fencing each other.
 */
export async function untilQuiet(log: MessageLog, { quietMs, pollMs, signal }: QuietOptions): Promise<void> {
  let { sequence } = await log.head()
  let quietSince = performance.now()
  while (!signal.aborted && performance.now() - quietSince < quietMs) {
    await rest(pollMs, signal)
    const head = await log.head()
    if (head.sequence !== sequence) quietSince = performance.now()
    sequence = head.sequence
  }
}
