import { nullableText, objectSchema, text } from '#queries/common/object-schema.ts'

const entityId = { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+$', nullable: true, example: '0.0.1001' }
const timestamp = { type: 'string', example: '1234567890.000000001' }
const amount = { type: 'integer', format: 'int64' }
const flag = { type: 'boolean' }

function list(title: string, properties: object) {
  return { type: 'array', items: objectSchema(properties, { title }) }
}

const properties = {
  batch_key: {
    ...objectSchema({ _type: { type: 'string', enum: ['ECDSA_SECP256K1', 'ED25519', 'ProtobufEncoded'] }, key: text }),
    nullable: true,
  },
  bytes: { ...nullableText, description: 'The transaction in base64; null unless raw bytes are kept' },
  charged_tx_fee: { ...amount, description: 'Tinybars' },
  consensus_timestamp: timestamp,
  entity_id: entityId,
  high_volume: flag,
  high_volume_pricing_multiplier: { ...amount, nullable: true },
  max_custom_fees: list('MaxCustomFee', { account_id: entityId, amount, denominating_token_id: entityId }),
  max_fee: { ...nullableText, description: 'Tinybars as a string of digits' },
  memo_base64: nullableText,
  name: { ...text, description: 'Transaction type' },
  nft_transfers: list('NftTransfer', {
    is_approval: flag,
    receiver_account_id: entityId,
    sender_account_id: entityId,
    serial_number: amount,
    token_id: entityId,
  }),
  node: entityId,
  nonce: { type: 'integer', format: 'int32' },
  parent_consensus_timestamp: { ...timestamp, nullable: true },
  result: text,
  scheduled: flag,
  staking_reward_transfers: list('StakingRewardTransfer', { account: entityId, amount }),
  token_transfers: list('TokenTransfer', { account: entityId, amount, is_approval: flag, token_id: entityId }),
  transaction_hash: nullableText,
  transaction_id: { ...text, example: '0.0.1001-1234567890-000000001' },
  transfers: list('Transfer', { account: entityId, amount, is_approval: flag }),
  valid_duration_seconds: { ...nullableText, description: 'Seconds as a string of digits' },
  valid_start_timestamp: timestamp,
}

/** The transaction object, for the documentation; rows are rendered by the projection. */
export const transactionSchema = objectSchema(properties, { title: 'Transaction' })

const detailedTransactionSchema = objectSchema(
  {
    ...properties,
    assessed_custom_fees: {
      ...list('AssessedCustomFee', {
        amount,
        collector_account_id: entityId,
        effective_payer_account_ids: { type: 'array', items: entityId },
        token_id: entityId,
      }),
      description: 'Left out when there are none',
    },
  },
  { title: 'DetailedTransaction', optional: ['assessed_custom_fees'] },
)

export const transactionDetailSchema = objectSchema(
  { transactions: { type: 'array', items: detailedTransactionSchema } },
  { title: 'TransactionDetail' },
)
