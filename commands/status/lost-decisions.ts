import { LedgerError } from '#src/domain/errors.ts'
import type { SeenDecision } from '#src/ports/decision-store.ts'

/** Nothing is decided on less than what was decided: numbers would be given out twice, and what was answered never be seen. */
export function decisionsLost(what: string): LedgerError {
  const message = `Decisions are lost: ${what}; nothing is written until they are brought back, or given up with "ledger-history status accept-loss"`
  return new LedgerError('decisions_lost', message, { told: message })
}

/** `head`: the newest one that is there. */
export function notThere({ position, stream, revision }: SeenDecision, head: SeenDecision | undefined): LedgerError {
  const there = head === undefined ? 'the store is empty' : `the store ends at position ${head.position}`
  const seen = `revision ${revision} of ${stream} was seen at position ${position}`
  const isOther = head !== undefined && head.position >= position
  return decisionsLost(isOther ? `${seen}, and the store has something else there` : `${seen}, and ${there}`)
}
