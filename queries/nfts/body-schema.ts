import { objectSchema, text } from '#queries/common/object-schema.ts'

const timestamp = { ...text, description: 'Seconds and nanoseconds' }
const account = { ...text, nullable: true }

export const nftSchema = objectSchema(
  {
    account_id: { ...account, description: 'The owner; null when it has none' },
    created_timestamp: { ...timestamp, nullable: true },
    delegating_spender: account,
    deleted: { type: 'boolean', description: 'Whether it or its token was deleted' },
    metadata: { ...text, format: 'byte', nullable: true, description: 'Base64; null when unknown' },
    modified_timestamp: timestamp,
    serial_number: { type: 'integer', format: 'int64' },
    spender: account,
    token_id: text,
  },
  { title: 'Nft' },
)

export const nftTransactionSchema = objectSchema(
  {
    consensus_timestamp: timestamp,
    is_approval: { type: 'boolean' },
    nonce: { type: 'integer', minimum: 0 },
    receiver_account_id: account,
    sender_account_id: account,
    transaction_id: text,
    type: { ...text, description: 'Name of the transaction type' },
  },
  { title: 'NftTransaction' },
)

export const allowanceSchema = objectSchema(
  {
    approved_for_all: { type: 'boolean' },
    owner: text,
    spender: text,
    timestamp: objectSchema({ from: timestamp, to: { ...timestamp, nullable: true } }),
    token_id: text,
  },
  { title: 'NftAllowance' },
)
