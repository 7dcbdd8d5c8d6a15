import { setTimeout as sleep } from 'node:timers/promises'
import { invalidParameter } from '#queries/common/errors.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { parseLedgerTime } from '#src/domain/ledger-time.ts'
import type { ModelSet, ModelState } from '#src/runtime/serve/model-set.ts'

const pollMs = 10

/** Names the newest consensus time that an answer reflects. */
export const freshnessHeader = 'Ledger-Consensus-Timestamp'
/** Asks to wait until answers reflect at least this consensus time: `seconds.nanos`. */
export const waitHeader = 'Ledger-Wait-For'

/**
 * Resolves once all read models have reached the time that the header names. `unavailable` when that takes longer than
 * allowed, or when the wait is over for other reasons.
 */
export async function waitForTime(
  models: ModelSet,
  header: string,
  maxWaitMs: number,
  isOver: () => boolean,
): Promise<ModelState> {
  const wanted = parseLedgerTime(header)
  if (wanted === undefined) throw invalidParameter(waitHeader)
  const deadline = performance.now() + maxWaitMs
  for (;;) {
    const state = await models.state()
    if (state.bound.time >= wanted) return state
    if (isOver() || performance.now() >= deadline) throw new LedgerError('unavailable', 'Service unavailable')
    await sleep(pollMs)
  }
}
