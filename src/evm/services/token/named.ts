import { type HexAddress, numberOf } from '#src/evm/addresses.ts'
import { accountAt } from '#src/evm/services/accounts.ts'
import type { ServiceCall } from '#src/evm/services/call.ts'
import { must } from '#src/evm/services/failed.ts'
import { hasKey } from '#src/evm/services/token/relations.ts'
import type { RelationFacts, TokenFacts, TokenKeyKind } from '#src/evm/token-facts.ts'

const nothing = 0n

/** The number that an address gives a token; of any other address 0, which no token has. */
export function tokenNumber(address: HexAddress): bigint {
  return numberOf(address) ?? nothing
}

export async function tokenNamed(call: ServiceCall, address: HexAddress): Promise<TokenFacts> {
  const token = await call.tokens.token(tokenNumber(address))
  must(token !== undefined, 'INVALID_TOKEN_ID')
  return token
}

/** The same of a token that is not paused. */
export async function movingToken(call: ServiceCall, address: HexAddress): Promise<TokenFacts> {
  const token = await tokenNamed(call, address)
  must(!token.isPaused, 'TOKEN_IS_PAUSED')
  return token
}

export async function accountNamed(call: ServiceCall, address: HexAddress): Promise<bigint> {
  const account = await accountAt(call.world, address)
  must(account !== undefined, 'INVALID_ACCOUNT_ID')
  return account
}

const missingKeys: Readonly<Record<TokenKeyKind, string>> = {
  admin: 'TOKEN_IS_IMMUTABLE',
  kyc: 'TOKEN_HAS_NO_KYC_KEY',
  freeze: 'TOKEN_HAS_NO_FREEZE_KEY',
  wipe: 'TOKEN_HAS_NO_WIPE_KEY',
  supply: 'TOKEN_HAS_NO_SUPPLY_KEY',
  feeSchedule: 'TOKEN_HAS_NO_FEE_SCHEDULE_KEY',
  pause: 'TOKEN_HAS_NO_PAUSE_KEY',
  metadata: 'TOKEN_HAS_NO_METADATA_KEY',
}

/** Who signs is not looked at, only that somebody could. */
export function assertKey({ keys }: TokenFacts, kind: TokenKeyKind): void {
  must(hasKey(keys[kind]), missingKeys[kind])
}

export async function relationOf(call: ServiceCall, token: TokenFacts, account: bigint): Promise<RelationFacts> {
  const relation = await call.tokens.relation(token.id, account)
  must(relation !== undefined, 'TOKEN_NOT_ASSOCIATED_TO_ACCOUNT')
  return relation
}
