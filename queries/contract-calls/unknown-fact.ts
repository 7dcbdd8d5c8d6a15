import { LedgerError } from '#src/domain/errors.ts'

/** A call that needs what the log does not say is refused: nothing stands for it. */
export function unknownFact(fact: string): LedgerError {
  return new LedgerError('fact_unknown', `The call needs ${fact}, which the log does not say`)
}
