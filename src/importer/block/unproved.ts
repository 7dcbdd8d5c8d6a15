import { LedgerError } from '#src/domain/errors.ts'

/**
 * What a block may say without a signature that covers it; it is refused unless an operator accepts it: `amendments` of a wrapped record
 * file and the `genesis-state` beside it, which nodes did not sign with the file, and `redactions`, behind which anything may stand.
 */
export const unprovedParts = ['amendments', 'genesis-state', 'redactions'] as const
export type UnprovedPart = (typeof unprovedParts)[number]

/** `what` names block and source, `says` is what it says that nobody has signed. */
export function unproved(what: string, says: string, part: UnprovedPart): LedgerError {
  return new LedgerError(
    'proof_invalid',
    `${what}: ${says}. Another source is asked; where every one has it like this and you believe it, accept it with --accept-unproved ${part}`,
    { file: what, part },
  )
}
