import { objectSchema, text } from '#queries/common/object-schema.ts'

const entityId = { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+$', example: '0.0.1001' }
const entityIdOrNull = { ...entityId, nullable: true }
const timestamp = { type: 'string', example: '1234567890.000000001' }
const timestampOrNull = { ...timestamp, nullable: true }
const amount = { type: 'integer', format: 'int64' }
const amountText = { ...text, description: 'Smallest unit of the token, in digits' }
const key = {
  type: 'object',
  nullable: true,
  properties: { _type: { type: 'string', enum: ['ECDSA_SECP256K1', 'ED25519', 'ProtobufEncoded'] }, key: text },
}
const metadata = { ...text, format: 'byte' }
const tokenType = { ...text, enum: ['FUNGIBLE_COMMON', 'NON_FUNGIBLE_UNIQUE'] }
const fraction = objectSchema({ numerator: amount, denominator: amount })
const exempt = { type: 'boolean' }

const fixedFee = objectSchema({
  all_collectors_are_exempt: exempt,
  amount,
  collector_account_id: entityIdOrNull,
  denominating_token_id: { ...entityIdOrNull, description: 'null for hbar' },
})

const fractionalFee = objectSchema({
  all_collectors_are_exempt: exempt,
  amount: fraction,
  collector_account_id: entityIdOrNull,
  denominating_token_id: entityIdOrNull,
  maximum: { ...amount, nullable: true },
  minimum: amount,
  net_of_transfers: { type: 'boolean' },
})

const royaltyFee = objectSchema({
  all_collectors_are_exempt: exempt,
  amount: fraction,
  collector_account_id: entityIdOrNull,
  fallback_fee: { type: 'object', nullable: true, properties: { amount, denominating_token_id: entityIdOrNull } },
})

const customFees = objectSchema(
  {
    created_timestamp: timestamp,
    fixed_fees: { type: 'array', items: fixedFee },
    fractional_fees: { type: 'array', items: fractionalFee, description: 'Of fungible tokens' },
    royalty_fees: { type: 'array', items: royaltyFee, description: 'Of NFT collections' },
  },
  { title: 'CustomFees', optional: ['fractional_fees', 'royalty_fees'] },
)

export const tokenSchema = objectSchema(
  {
    admin_key: key,
    auto_renew_account: entityIdOrNull,
    auto_renew_period: { ...amount, nullable: true, description: 'Seconds' },
    created_timestamp: timestampOrNull,
    custom_fees: customFees,
    decimals: text,
    deleted: { type: 'boolean', nullable: true },
    expiry_timestamp: { ...amount, nullable: true, description: 'Nanoseconds' },
    fee_schedule_key: key,
    freeze_default: { type: 'boolean' },
    freeze_key: key,
    initial_supply: amountText,
    kyc_key: key,
    max_supply: amountText,
    memo: text,
    metadata,
    metadata_key: key,
    modified_timestamp: timestamp,
    name: text,
    pause_key: key,
    pause_status: { ...text, enum: ['NOT_APPLICABLE', 'PAUSED', 'UNPAUSED'] },
    supply_key: key,
    supply_type: { ...text, enum: ['FINITE', 'INFINITE'] },
    symbol: text,
    token_id: entityId,
    total_supply: amountText,
    treasury_account_id: entityIdOrNull,
    type: tokenType,
    wipe_key: key,
  },
  { title: 'TokenDetail' },
)

export const listedToken = objectSchema(
  { admin_key: key, decimals: amount, metadata, name: text, symbol: text, token_id: entityId, type: tokenType },
  { title: 'Token' },
)

export const tokenBalance = objectSchema(
  { account: entityId, balance: amount, decimals: { ...amount, nullable: true } },
  { title: 'TokenBalance' },
)

export const heldToken = objectSchema(
  {
    automatic_association: { type: 'boolean' },
    balance: amount,
    created_timestamp: { ...timestampOrNull, description: 'Of the association' },
    decimals: { ...amount, nullable: true },
    token_id: entityId,
    freeze_status: { ...text, enum: ['NOT_APPLICABLE', 'FROZEN', 'UNFROZEN'] },
    kyc_status: { ...text, enum: ['NOT_APPLICABLE', 'GRANTED', 'REVOKED'] },
  },
  { title: 'TokenRelationship' },
)
