import { objectSchema, text } from '#queries/common/object-schema.ts'

export const entityId = { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+$', example: '0.0.1001' }
export const entityIdOrNull = { ...entityId, nullable: true }
export const timestamp = { type: 'string', example: '1234567890.000000001' }
export const timestampOrNull = { ...timestamp, nullable: true }
export const amount = { type: 'integer', format: 'int64' }
export const key = {
  type: 'object',
  nullable: true,
  properties: { _type: { type: 'string', enum: ['ECDSA_SECP256K1', 'ED25519', 'ProtobufEncoded'] }, key: text },
}
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

export const customFees = objectSchema(
  {
    created_timestamp: timestamp,
    fixed_fees: { type: 'array', items: fixedFee },
    fractional_fees: { type: 'array', items: fractionalFee, description: 'Of fungible tokens' },
    royalty_fees: { type: 'array', items: royaltyFee, description: 'Of NFT collections' },
  },
  { title: 'CustomFees', optional: ['fractional_fees', 'royalty_fees'] },
)
