import { signatureTypes } from '#projections/schedules/packing.ts'
import { objectSchema, text } from '#queries/common/object-schema.ts'

const bytes = { ...text, format: 'byte' }
const timestamp = { ...text, description: 'Seconds and nanoseconds' }
const id = { ...text, nullable: true, description: 'Entity id' }

const signatureSchema = objectSchema(
  {
    consensus_timestamp: timestamp,
    public_key_prefix: bytes,
    signature: bytes,
    type: { ...text, enum: [...Object.values(signatureTypes), 'UNKNOWN'] },
  },
  { title: 'ScheduleSignature' },
)

export const scheduleSchema = objectSchema(
  {
    admin_key: { type: 'object', nullable: true, properties: { _type: text, key: text } },
    consensus_timestamp: timestamp,
    creator_account_id: id,
    deleted: { type: 'boolean' },
    executed_timestamp: { ...timestamp, nullable: true },
    expiration_time: { ...timestamp, nullable: true },
    memo: text,
    payer_account_id: id,
    schedule_id: text,
    signatures: { type: 'array', items: signatureSchema },
    transaction_body: { ...bytes, description: 'Serialized SchedulableTransactionBody' },
    wait_for_expiry: { type: 'boolean' },
  },
  { title: 'Schedule' },
)
