import type { EntityRow } from '#projections/entities/schema.ts'
import { tokenTypeName } from '#projections/tokens/render.ts'
import { type TokenRow, TokenType } from '#projections/tokens/schema.ts'
import { max } from '#queries/common/bigints.ts'
import { defineObject } from '#queries/common/define-object.ts'
import { objectSchema, text } from '#queries/common/object-schema.ts'
import type { FoundFees } from '#queries/custom-fees/find-fees.ts'
import { tokenFees } from '#queries/custom-fees/render-fees.ts'
import type { HeldToken } from '#queries/tokens/find-held-tokens.ts'
import type { ListedToken } from '#queries/tokens/find-token-page.ts'
import type { ShownRelation } from '#queries/tokens/find-tokens.ts'
import { amount, entityId, entityIdOrNull, key, timestamp, timestampOrNull } from '#queries/tokens/value-schemas.ts'
import { base64Of } from '#src/domain/bytes.ts'
import { expiryOf } from '#src/domain/expiry.ts'
import { flagText, idText, timeText } from '#src/domain/json-text.ts'
import { renderKey } from '#src/domain/public-key.ts'

const amountOrNull = { ...amount, nullable: true }
const amountText = { ...text, description: 'Smallest unit of the token, in digits' }
const metadata = { ...text, format: 'byte' }
const tokenType = { ...text, enum: ['FUNGIBLE_COMMON', 'NON_FUNGIBLE_UNIQUE'] }
const flag = { type: 'boolean' }

/** Names of an enum's numbers; the first one for a number that has none. */
function named(names: readonly string[]) {
  return { schema: { ...text, enum: names }, text: (number: number) => `"${names[number] ?? names[0]}"` }
}

const supplyType = named(['INFINITE', 'FINITE'])
const pauseStatus = named(['NOT_APPLICABLE', 'PAUSED', 'UNPAUSED'])
const freezeStatus = named(['NOT_APPLICABLE', 'FROZEN', 'UNFROZEN'])
const kycStatus = named(['NOT_APPLICABLE', 'GRANTED', 'REVOKED'])

export const listedToken = objectSchema(
  { admin_key: key, decimals: amount, metadata, name: text, symbol: text, token_id: entityId, type: tokenType },
  { title: 'Token' },
)

/** JSON text of a token in a list: what its fold rendered, and the key of its entity. */
export function renderListedToken({ token, entity }: ListedToken): string {
  return `{"admin_key":${renderKey(entity.key)},${token.listed}}`
}

interface ShownToken {
  readonly token: TokenRow
  readonly entity: EntityRow
  readonly supply: bigint
  readonly fees: FoundFees
}

/** Numbers that may be of 64 bits are texts here, as established clients know it. */
export const tokenObject = defineObject<ShownToken>(
  {
    admin_key: [key, ({ entity }) => renderKey(entity.key)],
    auto_renew_account: [entityIdOrNull, ({ entity }) => idText(entity.autoRenewAccountId)],
    auto_renew_period: [{ ...amountOrNull, description: 'Seconds' }, ({ entity }) => entity.autoRenewPeriod],
    created_timestamp: [timestampOrNull, ({ token }) => timeText(token.created)],
    custom_fees: [tokenFees.schema, renderFees],
    decimals: [text, ({ token }) => `"${token.decimals}"`],
    deleted: [{ type: 'boolean', nullable: true }, ({ entity }) => flagText(entity.deleted)],
    expiry_timestamp: [{ ...amountOrNull, description: 'Nanoseconds' }, ({ entity }) => expiryOf(entity)],
    fee_schedule_key: [key, ({ token }) => renderKey(token.feeScheduleKey)],
    freeze_default: [flag, ({ token }) => token.freezeDefault === 1],
    freeze_key: [key, ({ token }) => renderKey(token.freezeKey)],
    initial_supply: [amountText, ({ token }) => `"${token.initialSupply}"`],
    kyc_key: [key, ({ token }) => renderKey(token.kycKey)],
    max_supply: [amountText, ({ token }) => `"${token.maxSupply}"`],
    memo: [text, ({ entity }) => JSON.stringify(entity.memo)],
    metadata: [metadata, ({ token }) => `"${token.metadata === null ? '' : base64Of(token.metadata)}"`],
    metadata_key: [key, ({ token }) => renderKey(token.metadataKey)],
    modified_timestamp: [timestamp, ({ token, entity }) => timeText(max(token.from, entity.from))],
    name: [text, ({ token }) => JSON.stringify(token.name)],
    pause_key: [key, ({ token }) => renderKey(token.pauseKey)],
    pause_status: [pauseStatus.schema, ({ token }) => pauseStatus.text(token.pauseStatus)],
    supply_key: [key, ({ token }) => renderKey(token.supplyKey)],
    supply_type: [{ ...text, enum: ['FINITE', 'INFINITE'] }, ({ token }) => supplyType.text(token.supplyType)],
    symbol: [text, ({ token }) => JSON.stringify(token.symbol)],
    token_id: [entityId, ({ token }) => idText(token.id)],
    total_supply: [amountText, ({ supply }) => `"${supply}"`],
    treasury_account_id: [entityIdOrNull, ({ token }) => idText(token.treasury)],
    type: [tokenType, ({ token }) => `"${tokenTypeName(token.type)}"`],
    wipe_key: [key, ({ token }) => renderKey(token.wipeKey)],
  },
  { title: 'TokenDetail' },
)

function renderFees({ token, fees }: ShownToken): string {
  return tokenFees.render({ ...fees, token: token.id, isNft: token.type === TokenType.nft })
}

interface ShownHolding {
  readonly held: HeldToken
  readonly token: Pick<TokenRow, 'decimals' | 'freezeStatus' | 'kycStatus'> | undefined
  readonly relation: ShownRelation | undefined
}

/** A token that an account may hold. Without a status of its own it has the token's. */
export const heldToken = defineObject<ShownHolding>(
  {
    automatic_association: [flag, ({ relation }) => relation?.automatic === 1],
    balance: [amount, ({ held }) => held.balance],
    created_timestamp: [
      { ...timestampOrNull, description: 'Of the association' },
      ({ relation }) => timeText(relation?.created ?? null),
    ],
    decimals: [amountOrNull, ({ token }) => token?.decimals ?? null],
    token_id: [entityId, ({ held }) => idText(held.token)],
    freeze_status: [
      freezeStatus.schema,
      ({ relation, token }) => freezeStatus.text(relation?.freezeStatus ?? token?.freezeStatus ?? 0),
    ],
    kyc_status: [
      kycStatus.schema,
      ({ relation, token }) => kycStatus.text(relation?.kycStatus ?? token?.kycStatus ?? 0),
    ],
  },
  { title: 'TokenRelationship' },
)
