import type { ServiceCall } from '#src/evm/services/call.ts'
import { must } from '#src/evm/services/failed.ts'
import { partsOfKey } from '#src/evm/services/keys.ts'
import type { RelationFacts, TokenFacts } from '#src/evm/token-facts.ts'

export function hasKey(key: Uint8Array | null): boolean {
  return partsOfKey(key) !== undefined
}

/** A relation as it begins. */
function newRelation({ keys, freezeDefault }: TokenFacts, isAutomatic: boolean): RelationFacts {
  return {
    balance: 0n,
    isFrozen: hasKey(keys.freeze) && freezeDefault,
    isKycGranted: !hasKey(keys.kyc),
    isAutomatic,
  }
}

/** A token that may be used: of one that is paused nothing moves. */
export async function usableToken(call: ServiceCall, id: bigint): Promise<TokenFacts> {
  const token = await call.tokens.token(id)
  must(token !== undefined, 'INVALID_TOKEN_ID')
  must(!token.isPaused, 'TOKEN_IS_PAUSED')
  return token
}

/** What an account has of a token that it is associated with, and may move. */
export async function usableRelation(call: ServiceCall, token: TokenFacts, account: bigint): Promise<RelationFacts> {
  const relation = await call.tokens.relation(token.id, account)
  must(relation !== undefined, 'TOKEN_NOT_ASSOCIATED_TO_ACCOUNT')
  must(!relation.isFrozen, 'ACCOUNT_FROZEN_FOR_TOKEN')
  must(relation.isKycGranted, 'ACCOUNT_KYC_NOT_GRANTED_FOR_TOKEN')
  return relation
}

export function associate(call: ServiceCall, token: TokenFacts, account: bigint): void {
  call.tokens.setRelation(token.id, account, newRelation(token, false))
}

/** Associates who receives a token and may do so without having asked for it. Says whether it did. */
export async function associateReceiver(call: ServiceCall, token: TokenFacts, account: bigint): Promise<boolean> {
  const known = await call.tokens.relation(token.id, account)
  if (known !== undefined) {
    must(!known.isFrozen, 'ACCOUNT_FROZEN_FOR_TOKEN')
    return false
  }
  const { automaticMax, automatic } = await call.tokens.associations(account)
  must(automaticMax !== 0n, 'TOKEN_NOT_ASSOCIATED_TO_ACCOUNT')
  must(automaticMax < 0n || automatic < automaticMax, 'NO_REMAINING_AUTOMATIC_ASSOCIATIONS')
  must(!hasKey(token.keys.kyc), 'ACCOUNT_KYC_NOT_GRANTED_FOR_TOKEN')
  const relation = newRelation(token, true)
  must(!relation.isFrozen, 'ACCOUNT_FROZEN_FOR_TOKEN')
  call.tokens.setAssociations(account, { automaticMax, automatic: automatic + 1n })
  call.tokens.setRelation(token.id, account, relation)
  return true
}

/** Changes what an account has; `lacking` says what is wrong where that is not enough. */
export async function adjust(
  call: ServiceCall,
  token: TokenFacts,
  account: bigint,
  amount: bigint,
  lacking = 'INSUFFICIENT_TOKEN_BALANCE',
): Promise<void> {
  const relation = await usableRelation(call, token, account)
  const balance = relation.balance + amount
  must(balance >= 0n, lacking)
  call.tokens.setRelation(token.id, account, { ...relation, balance })
}
