import { nullableText, objectSchema, text } from '#queries/common/object-schema.ts'

const entityId = { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+$', nullable: true, example: '0.0.1001' }
const timestamp = { type: 'string', nullable: true, example: '1234567890.000000001' }
const amount = { type: 'integer', format: 'int64', nullable: true }
const flag = { type: 'boolean', nullable: true }

/** The account object, for the documentation. */
export const accountSchema = objectSchema(
  {
    account: entityId,
    alias: { ...nullableText, description: 'Base32' },
    auto_renew_period: { ...amount, description: 'Seconds' },
    balance: {
      type: 'object',
      nullable: true,
      properties: {
        balance: { ...amount, description: 'Tinybars' },
        timestamp,
        tokens: {
          type: 'array',
          items: { type: 'object', properties: { token_id: entityId, balance: amount } },
        },
      },
    },
    created_timestamp: timestamp,
    decline_reward: { type: 'boolean' },
    delegation_address: { ...text, description: 'Contract whose code runs for the account; 0x when none' },
    deleted: flag,
    ethereum_nonce: amount,
    evm_address: text,
    expiry_timestamp: timestamp,
    key: {
      type: 'object',
      nullable: true,
      properties: { _type: { type: 'string', enum: ['ECDSA_SECP256K1', 'ED25519', 'ProtobufEncoded'] }, key: text },
    },
    max_automatic_token_associations: { type: 'integer', format: 'int32', nullable: true },
    memo: text,
    pending_reward: { ...amount, nullable: false, description: 'Tinybars' },
    receiver_sig_required: flag,
    staked_account_id: entityId,
    staked_node_id: amount,
    stake_period_start: timestamp,
  },
  { title: 'Account' },
)
