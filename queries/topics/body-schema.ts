import { int64, key, objectSchema, text } from '#queries/common/object-schema.ts'

const timestamp = { ...text, description: 'Seconds and nanoseconds' }
const id = { ...text, description: 'Entity id' }
const small = { type: 'integer', format: 'int32' }

const initialTransactionIdSchema = objectSchema(
  {
    account_id: { ...id, nullable: true },
    nonce: { ...small, nullable: true },
    scheduled: { type: 'boolean', nullable: true },
    transaction_valid_start: { ...timestamp, nullable: true },
  },
  { title: 'InitialTransactionId' },
)

const chunkSchema = {
  ...objectSchema(
    { initial_transaction_id: initialTransactionIdSchema, number: small, total: { ...small, nullable: true } },
    { title: 'ChunkInfo', description: 'null when the message is no chunk of a longer one' },
  ),
  nullable: true,
}

export const messageSchema = objectSchema(
  {
    chunk_info: chunkSchema,
    consensus_timestamp: timestamp,
    message: { ...text, description: 'Contents, in base64 unless the request wants text' },
    payer_account_id: { ...id, nullable: true },
    running_hash: { ...text, format: 'byte' },
    running_hash_version: small,
    sequence_number: int64,
    topic_id: id,
  },
  { title: 'TopicMessage' },
)

const fixedFeeSchema = objectSchema(
  {
    amount: int64,
    collector_account_id: { ...id, nullable: true },
    denominating_token_id: { ...id, nullable: true, description: 'null: the fee is paid in tinybars' },
  },
  { title: 'TopicFixedFee' },
)

export const topicSchema = objectSchema(
  {
    admin_key: key,
    auto_renew_account: { ...id, nullable: true },
    auto_renew_period: { ...int64, nullable: true, description: 'Seconds' },
    created_timestamp: { ...timestamp, nullable: true },
    custom_fees: objectSchema(
      { created_timestamp: timestamp, fixed_fees: { type: 'array', items: fixedFeeSchema } },
      { title: 'TopicCustomFees' },
    ),
    deleted: { type: 'boolean', nullable: true },
    fee_exempt_key_list: { type: 'array', items: { ...key, nullable: false } },
    fee_schedule_key: key,
    memo: text,
    submit_key: key,
    timestamp: { type: 'object', properties: { from: timestamp, to: { ...timestamp, nullable: true } } },
    topic_id: id,
  },
  { title: 'Topic' },
)
