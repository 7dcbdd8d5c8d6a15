import { isLedgerError } from '#src/domain/errors.ts'

/** What came of trying a signature or a proof. */
export interface Verdict {
  readonly verdict: 'holds' | 'fails' | 'unchecked'
  /** Why it does not hold, or what it lacks to be tried; null where it holds. */
  readonly reason: string | null
}

export const holds: Verdict = { verdict: 'holds', reason: null }

export function unchecked(reason: string): Verdict {
  return { verdict: 'unchecked', reason }
}

export function fails(reason: string): Verdict {
  return { verdict: 'fails', reason }
}

/** An operational error as a verdict; anything else is a mistake of ours and goes on. */
export function failedOf(error: unknown): Verdict {
  if (isLedgerError(error)) return fails(String(error.details['reason'] ?? error.message))
  throw error
}
