import { LedgerError } from '#src/domain/errors.ts'
import { formatLedgerTime } from '#src/domain/ledger-time.ts'
import type { MessageLog } from '#src/ports/message-log.ts'
import type { ProjectionWriter } from '#src/ports/read-store.ts'
import type { ProjectionRun } from '#src/runtime/fold/projection-run.ts'

/** Events looked through first for one that the rows have the time of. */
const windowEvents = 4_096

/**
 * Rows are brought forward from the log that they began with alone: they carry its identity from their first owner on. Rows from
 * before there were identities are taken over once where the time that they stand at is the one that this log had there.
 * Rejects with `checkpoint_ahead`.
 */
export async function assertOrigin(log: MessageLog, writer: ProjectionWriter, run: ProjectionRun): Promise<void> {
  // A decision store that was brought back from a copy may have a new identity; what it lacks is told elsewhere.
  if (writer.origin === undefined || run.projection.source === 'decisions') return
  const identity = await log.identity()
  if (identity === undefined || writer.origin.log === identity) return
  if (writer.origin.log !== undefined) throw otherLog(run.label, run.projection.schema.name, run.position)
  if (run.position > 0) await assertTimeOf(log, run)
  await writer.claim?.(identity)
}

/** What is said of rows that began with another log. */
function otherLog(label: string, name: string, position: number | null): LedgerError {
  const message = `Projection ${label} has rows of another log: they do not belong to this one; build the read model anew with "ledger-history projections rebuild ${name}" and promote that, or bring its own rows back`
  return new LedgerError('checkpoint_ahead', message, { projection: name, position })
}

/** The greatest time that this log has up to the position, from the newest block on backwards. */
async function assertTimeOf(log: MessageLog, run: ProjectionRun): Promise<void> {
  let newest: bigint | undefined
  for (let events = windowEvents; newest === undefined; events *= 2) {
    const after = Math.max(0, run.position - events)
    newest = await newestTime(log, run, after)
    if (after === 0) break
  }
  if (newest === run.time) return
  const { name } = run.projection.schema
  const found = newest === undefined ? 'none' : formatLedgerTime(newest)
  const message = `Projection ${run.label} stands at event ${run.position} of ${formatLedgerTime(run.time)}, but the newest block of the log up to there is of ${found}, and its rows do not say of which log they are; build the read model anew with "ledger-history projections rebuild ${name}" and promote that`
  throw new LedgerError('checkpoint_ahead', message, { projection: name, position: run.position })
}

async function newestTime(log: MessageLog, run: ProjectionRun, after: number): Promise<bigint | undefined> {
  let newest: bigint | undefined
  for await (const { records } of log.read({ after, countMax: windowEvents, bytesMax: 8 << 20, follow: false })) {
    for (const record of records) {
      if (record.sequence > run.position) return newest
      if (run.movesTime(record) && (newest === undefined || record.time > newest)) newest = record.time
    }
  }
  return newest
}
