import { LedgerError } from '#src/domain/errors.ts'
import { formatLedgerTime } from '#src/domain/ledger-time.ts'
import type { Logger } from '#src/ports/logger.ts'
import type { MessageLog } from '#src/ports/message-log.ts'
import type { ReadStore } from '#src/ports/read-store.ts'
import type { AnyProjection } from '#src/runtime/fold/projection.ts'
import { ProjectionRun } from '#src/runtime/fold/projection-run.ts'
import type { ProjectorLimits } from '#src/runtime/fold/projector-limits.ts'
import type { RowMemory } from '#src/runtime/fold/row-memory.ts'
import { assertOrigin } from '#src/runtime/fold/rows-origin.ts'
import type { LateEvents } from '#src/runtime/lists/list-writer.ts'

export interface OpenRunOptions {
  readonly log: MessageLog
  readonly store: ReadStore
  readonly projection: AnyProjection
  readonly limits: ProjectorLimits
  readonly memory: RowMemory
  readonly logger: Logger
  /** true: stop at the first event that cannot be folded, even where it could be parked. */
  readonly strict?: boolean
  /** Events that the rows to compare with have late. */
  readonly late?: LateEvents
}

/** Takes a projection over at its checkpoint. Rejects with `owner_busy` as the store does. */
export async function openRun({
  log,
  store,
  projection,
  limits,
  memory,
  logger,
  strict = false,
  late,
}: OpenRunOptions): Promise<ProjectionRun> {
  const writer = await store.openWriter(projection.schema)
  const { commitRowsMax } = limits
  const run = new ProjectionRun({ projection, writer, logger, strict, memory, commitRowsMax, ...(late && { late }) })
  try {
    // Only after the writer is open: an earlier owner may have gone on until then.
    const { sequence: head } = await log.head()
    if (run.position > head) throw foreign(run, `ends at ${head}`)
    await assertSameLog(log, run)
    await assertOrigin(log, writer, run)
    await run.openLists()
    const { name, version, build = 1 } = projection.schema
    logger.debug(
      { projection: name, version, build, epoch: run.epoch, position: run.position, head },
      'projection opened',
    )
    return run
  } catch (error) {
    await closeRun(run, logger)
    throw error
  }
}

/** Lets go of a projection. What a failing close says is worth less than what made it end, so it is only logged. */
export async function closeRun(run: ProjectionRun, logger: Logger): Promise<void> {
  try {
    await run.close()
  } catch (error) {
    logger.warn({ reason: String(error) }, 'closing a projection failed')
  }
}

/**
 * The event that the checkpoint stands at tells by its time whether the rows are of this log, and not of one that was
 * restored from an older copy and then imported past them.
 */
async function assertSameLog(log: MessageLog, run: ProjectionRun): Promise<void> {
  // Times of decisions come from the clocks of several machines and need not ascend.
  if (run.position === 0 || run.projection.source === 'decisions') return
  const after = run.position - 1
  for await (const { records } of log.read({ after, countMax: 1, bytesMax: 1, follow: false })) {
    const [record] = records
    if (record === undefined) return
    run.resumeBehind(record)
    if (!run.movesTime(record) || record.time === run.time) return
    throw foreign(
      run,
      `has an event of ${formatLedgerTime(record.time)} there instead of ${formatLedgerTime(run.time)}`,
    )
  }
}

/** Rows of events that the log does not have: it was restored from an older copy or belongs to another store. */
function foreign(run: ProjectionRun, found: string): LedgerError {
  const { name } = run.projection.schema
  return new LedgerError(
    'checkpoint_ahead',
    `Projection ${run.label} stands at ${run.position}, but the log ${found}: they do not belong together; restore the log, or build the read model anew with "ledger-history projections rebuild ${name}"`,
    { projection: name, position: run.position },
  )
}
