import { setTimeout as sleep } from 'node:timers/promises'
import { invalidParameter } from '#queries/common/errors.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { parseLedgerTime } from '#src/domain/ledger-time.ts'
import type { Checkpoint } from '#src/ports/read-store.ts'
import type { ServedModel } from '#src/runtime/serve/served-model.ts'

const pollMs = 10

/** Names the newest consensus time that an answer reflects. */
export const freshnessHeader = 'Ledger-Consensus-Timestamp'
/** Asks to wait until answers reflect at least this consensus time: `seconds.nanos`. */
export const waitHeader = 'Ledger-Wait-For'

/**
 * The checkpoint once it has reached the time that the header names. `unavailable` when that takes longer than allowed, or
 * when the signal ends the wait.
 */
export async function waitForTime(
  model: ServedModel,
  header: string,
  maxWaitMs: number,
  signal: AbortSignal,
): Promise<Checkpoint> {
  const wanted = parseLedgerTime(header)
  if (wanted === undefined) throw invalidParameter(waitHeader)
  const deadline = performance.now() + maxWaitMs
  for (;;) {
    const checkpoint = await model.checkpoint()
    if (checkpoint.time >= wanted) return checkpoint
    if (signal.aborted || performance.now() >= deadline) throw new LedgerError('unavailable', 'Service unavailable')
    await sleep(pollMs)
  }
}
