import { LedgerError } from '#src/domain/errors.ts'

const step =
  'Another source is asked; if every one has it like this, the network has to correct it, or this version does not know its form yet'

/** A block that does not have the form of one. `what` names block and source. */
export function malformedBlock(what: string, reason: string, cause?: unknown): LedgerError {
  return new LedgerError('file_malformed', `${what}: ${reason}. ${step}`, { file: what, reason }, cause)
}
