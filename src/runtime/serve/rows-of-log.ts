import { LedgerError } from '#src/domain/errors.ts'
import { decisionsGeneration } from '#src/operations/plan.ts'
import type { ServedModel } from '#src/runtime/serve/served-model.ts'

/** Whether its rows say that they are of another log than the one that its generation has; what is not known is not held against it. */
export function isOfOtherLog({ origin, generation }: ServedModel, identity: string | undefined): boolean {
  // A decision store that was brought back from a copy may have a new identity.
  if (generation === decisionsGeneration || origin?.log === undefined || identity === undefined) return false
  return origin.log !== identity
}

export function otherLog({ name, id, generation }: ServedModel): LedgerError {
  const message = `The rows of ${name} ${id} are of another log than generation ${generation}; bring its own rows back, or build it anew with "ledger-history projections rebuild ${name}" and promote that`
  return new LedgerError('checkpoint_ahead', message, { projection: name, instance: `${name}@${id}` })
}
