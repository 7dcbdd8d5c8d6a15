import { type Effects, effect } from '#projections/entities/changes/effect.ts'
import type { ContractID } from '#schemas/events/types.ts'
import { transactionType } from '#src/domain/transaction-types.ts'

/** What the network's administrators may do to any file or contract. The expiration time of the body is not used. */
export const systemEffects: Effects = [
  effect(transactionType.systemDelete, 'delete', 'systemDelete', (body) => ({ type: typeOf(body) })),
  effect(transactionType.systemUndelete, 'update', 'systemUndelete', (body) => ({ type: typeOf(body) })),
]

function typeOf({ contractID }: { readonly contractID: ContractID | null }): string {
  return contractID === null ? 'FILE' : 'CONTRACT'
}
