import { setImmediate as nextTurn } from 'node:timers/promises'
import { LedgerError } from '#src/domain/errors.ts'

/** Steps of this length may pass before other requests get a turn. */
const sliceMs = 5

/**
 * What a long search calls between its steps: lets other requests run now and then, and throws `unavailable` once the
 * request has taken longer than it may.
 */
export function createPause(timeoutMs: number): () => Promise<void> {
  const started = performance.now()
  let turnEnds = started + sliceMs
  return async () => {
    const now = performance.now()
    if (now - started > timeoutMs) throw new LedgerError('unavailable', 'Service unavailable')
    if (now < turnEnds) return
    await nextTurn()
    turnEnds = performance.now() + sliceMs
  }
}
