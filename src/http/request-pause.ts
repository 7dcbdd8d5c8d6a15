import { setImmediate as nextTurn } from 'node:timers/promises'
import { LedgerError } from '#src/domain/errors.ts'

/** Steps of this length may pass before other requests get a turn. */
const sliceMs = 5

/**
 * What a long search calls between its steps: lets other requests run now and then, and throws `unavailable` once the
 * request has taken longer than it may, or the signal gives it up.
 */
export function createPause(timeoutMs: number, signal: AbortSignal): () => Promise<void> {
  const started = performance.now()
  let turnEnds = started + sliceMs
  const giveUp = (): void => {
    const late = performance.now() - started > timeoutMs
    if (late || signal.aborted) throw new LedgerError('unavailable', 'Service unavailable')
  }
  return async () => {
    giveUp()
    if (performance.now() < turnEnds) return
    await nextTurn()
    // Meanwhile the server may have been closed, and what the search reads from with it.
    giveUp()
    turnEnds = performance.now() + sliceMs
  }
}
