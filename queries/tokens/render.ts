import type { EntityRow } from '#projections/entities/schema.ts'
import { tokenTypeName } from '#projections/tokens/render.ts'
import { type TokenRow, TokenType } from '#projections/tokens/schema.ts'
import { max } from '#queries/common/bigints.ts'
import type { FoundFees } from '#queries/custom-fees/find-fees.ts'
import { renderFungibleFees, renderNftFees } from '#queries/custom-fees/render-fees.ts'
import type { HeldToken } from '#queries/tokens/find-held-tokens.ts'
import type { ListedToken } from '#queries/tokens/find-token-page.ts'
import type { ShownRelation } from '#queries/tokens/find-tokens.ts'
import { asBuffer } from '#src/domain/bytes.ts'
import { expiryOf } from '#src/domain/expiry.ts'
import { flagText, idText, timeText } from '#src/domain/json-text.ts'
import { renderKey } from '#src/domain/public-key.ts'

const supplyTypeNames = ['INFINITE', 'FINITE']
const pauseNames = ['NOT_APPLICABLE', 'PAUSED', 'UNPAUSED']
const freezeNames = ['NOT_APPLICABLE', 'FROZEN', 'UNFROZEN']
const kycNames = ['NOT_APPLICABLE', 'GRANTED', 'REVOKED']

/** JSON text of a token in a list. */
export function renderListedToken({ token, entity }: ListedToken): string {
  return `{"admin_key":${renderKey(entity.key)},${token.listed}}`
}

export interface TokenParts {
  readonly token: TokenRow
  readonly entity: EntityRow
  readonly supply: bigint
  readonly fees: FoundFees
}

/** JSON text of one token. Numbers that may be of 64 bits are texts here, as established clients know it. */
export function renderToken({ token, entity, supply, fees }: TokenParts): string {
  const modified = max(token.from, entity.from)
  return (
    `{"admin_key":${renderKey(entity.key)},"auto_renew_account":${idText(entity.autoRenewAccountId)},` +
    `"auto_renew_period":${entity.autoRenewPeriod},"created_timestamp":${timeText(token.created)},` +
    `"custom_fees":${renderFees(token, fees)},"decimals":"${token.decimals}","deleted":${flagText(entity.deleted)},` +
    `"expiry_timestamp":${expiryOf(entity)},"fee_schedule_key":${renderKey(token.feeScheduleKey)},` +
    `"freeze_default":${token.freezeDefault === 1},"freeze_key":${renderKey(token.freezeKey)},` +
    `"initial_supply":"${token.initialSupply}","kyc_key":${renderKey(token.kycKey)},` +
    `"max_supply":"${token.maxSupply}","memo":${JSON.stringify(entity.memo)},"metadata":"${metadataOf(token)}",` +
    `"metadata_key":${renderKey(token.metadataKey)},"modified_timestamp":${timeText(modified)},` +
    `"name":${JSON.stringify(token.name)},"pause_key":${renderKey(token.pauseKey)},` +
    `"pause_status":${nameOf(pauseNames, token.pauseStatus)},"supply_key":${renderKey(token.supplyKey)},` +
    `"supply_type":${nameOf(supplyTypeNames, token.supplyType)},"symbol":${JSON.stringify(token.symbol)},` +
    `"token_id":${idText(token.id)},"total_supply":"${supply}","treasury_account_id":${idText(token.treasury)},` +
    `"type":"${tokenTypeName(token.type)}","wipe_key":${renderKey(token.wipeKey)}}`
  )
}

/** JSON text of a token that an account may hold. Without a status of its own it has the token's. */
export function renderHeldToken(
  { token: tokenId, balance }: HeldToken,
  token: Pick<TokenRow, 'decimals' | 'freezeStatus' | 'kycStatus'> | undefined,
  relation: ShownRelation | undefined,
): string {
  const freezeStatus = relation?.freezeStatus ?? token?.freezeStatus ?? 0
  const kycStatus = relation?.kycStatus ?? token?.kycStatus ?? 0
  return (
    `{"automatic_association":${relation?.automatic === 1},"balance":${balance},` +
    `"created_timestamp":${timeText(relation?.created ?? null)},"decimals":${token === undefined ? null : token.decimals},` +
    `"token_id":${idText(tokenId)},"freeze_status":${nameOf(freezeNames, freezeStatus)},` +
    `"kyc_status":${nameOf(kycNames, kycStatus)}}`
  )
}

function renderFees(token: TokenRow, fees: FoundFees): string {
  return token.type === TokenType.nft ? renderNftFees(fees) : renderFungibleFees(fees, token.id)
}

function metadataOf({ metadata }: Pick<TokenRow, 'metadata'>): string {
  return metadata === null ? '' : asBuffer(metadata).toString('base64')
}

/** The name of an enum's number; the first one for a number that has none. */
function nameOf(names: readonly string[], number: number): string {
  return `"${names[number] ?? names[0]}"`
}
