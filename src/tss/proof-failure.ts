import { LedgerError } from '#src/domain/errors.ts'

/** What a proof fails at, in the order in which it is looked at. */
export type ProofCheck =
  /** Its length is none that is known. */
  | 'form'
  /** A field is not what it has to be: no point, no number of its field. */
  | 'encoding'
  /** It does not have more than half of the weight. */
  | 'weight'
  /** What it says about who signed does not hold. */
  | 'aggregate'
  /** Its key is not the ledger's. */
  | 'binding'
  /** It is not the signature of this hash by those who signed. */
  | 'signature'
  /** A path from an unsigned block to a signed one does not lead there. */
  | 'path'

/** Builds the error of a proof. `failed` lists equations, where there are several. */
export type ProofFail = (check: ProofCheck, reason: string, failed?: readonly string[]) => LedgerError

/** Errors of the proof of the block that is called `name`. */
export function proofFailOf(name: string): ProofFail {
  return (check, reason, failed = []) =>
    new LedgerError('proof_invalid', `${name}: ${reason}. ${stepAfter(check)}`, {
      block: name,
      check,
      reason,
      ...(failed.length === 0 ? {} : { failed: failed.join(', ') }),
    })
}

function stepAfter(check: ProofCheck): string {
  return check === 'form'
    ? 'Take the block from another source; where all have it so, the network signs in a new way that this version does not know'
    : 'Either the block or its proof was changed: take it from another source; where all have it so, its publisher has to correct it'
}
