import { hostname } from 'node:os'
import type { Engines } from '#src/cli/engines.ts'
import type { ImportTotals } from '#src/cli/importing/import-totals.ts'
import { isLedgerError, type LedgerError } from '#src/domain/errors.ts'
import { runOrStandBy, untilQuiet } from '#src/importer/standby.ts'
import { readPresence } from '#src/operations/presence.ts'
import type { ControlStore } from '#src/ports/control-store.ts'
import type { Logger } from '#src/ports/logger.ts'
import { retryWhileAway } from '#src/runtime/process/retry.ts'

/** A network publishes a block every few seconds: a log that has not grown for so long has no importer. */
const quietMs = 10_000
const quietPollMs = 500
/** First and longest pause before a log or store that is away is asked again. */
const awayRetryMinMs = 100
const awayRetryMaxMs = 5_000
/** How often a standby looks whether the other importer is gone. */
const standbyPollMs = 500

export interface ImportStandbyOptions {
  readonly engines: Engines
  readonly totals: ImportTotals
  /** Asked at every attempt, since the store may not have been there before. */
  readonly controlStore: () => Promise<ControlStore>
  /** That is being written now. */
  readonly generation: () => number
  readonly logger: Logger
  readonly signal: AbortSignal
  readonly onStandby: (error: LedgerError) => void
}

/**
 * Imports until the attempt ends by itself or the signal aborts. What is away is waited for, and so is another importer,
 * beside which this one stands by.
 */
export async function importOrStandBy(attempt: () => Promise<void>, options: ImportStandbyOptions): Promise<void> {
  const { engines, totals, generation, logger, signal, onStandby } = options
  const runAttempt = async (): Promise<void> => {
    const controlStore = await options.controlStore()
    await runOrStandBy(attempt, {
      signal,
      logger,
      pollMs: standbyPollMs,
      turns: () => totals.turns,
      ownerName: () => importOwner(controlStore, generation()),
      onStandby,
      beforeRetry: (error) => waitWhileFenced(error, { engines, generation: generation(), signal }),
    }).catch((error: unknown) => {
      // Seen only at the last checkpoint: all is in the log, and the next start brings the state up to its end.
      if (!signal.aborted || !isLedgerError(error, 'checkpoint_moved')) throw error
      logger.warn({ code: error.code, reason: error.message }, 'the next start reads on from there')
    })
  }
  await retryWhileAway(runAttempt, {
    signal,
    logger,
    progress: () => totals.blocks,
    // Moved: the store came back older than it was, and the state is brought up to the end of the log again. Full: nothing
    // half written is left, and readers go on meanwhile.
    alsoWaitFor: ['checkpoint_moved', 'disk_full'],
    // Rights on its files that somebody took away are given back.
    alsoWaitAtWork: ['data_folder_unusable'],
    onAway: (error) => totals.wait(error),
    retryMinMs: awayRetryMinMs,
    retryMaxMs: awayRetryMaxMs,
  })
}

/** Which other process imports into a generation now, as the processes themselves say; undefined when none does or the store cannot be asked. */
async function importOwner(control: ControlStore, generation: number): Promise<string | undefined> {
  const processes = await readPresence(control, Date.now()).catch(() => [])
  const owner = processes.find(
    ({ pid, host, alive, imports }) =>
      alive && (pid !== process.pid || host !== hostname()) && imports?.generation === generation && !imports.standby,
  )
  return owner && `process ${owner.pid} on ${owner.host} (version ${owner.codeVersion})`
}

interface FencedOptions {
  readonly engines: Engines
  readonly generation: number
  readonly signal: AbortSignal
}

/** After the right to append was taken away: waits until whoever has it appends no more. */
async function waitWhileFenced(error: LedgerError, options: FencedOptions): Promise<void> {
  if (!isLedgerError(error, 'log_writer_fenced')) return
  const { engines, generation, signal } = options
  const log = await engines.openLog(generation)
  try {
    await untilQuiet(log, { quietMs, pollMs: quietPollMs, signal })
  } finally {
    await log.close()
  }
}
