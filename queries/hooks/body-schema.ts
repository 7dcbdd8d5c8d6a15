import { int64, objectSchema, text } from '#queries/common/object-schema.ts'

const timestamp = { ...text, description: 'Seconds and nanoseconds' }

export const hookSchema = objectSchema(
  {
    admin_key: { type: 'object', nullable: true, properties: { _type: text, key: text } },
    contract_id: { ...text, nullable: true },
    created_timestamp: { ...timestamp, nullable: true },
    deleted: { type: 'boolean' },
    extension_point: { ...text, enum: ['ACCOUNT_ALLOWANCE_HOOK'] },
    hook_id: int64,
    owner_id: text,
    timestamp_range: { type: 'object', properties: { from: timestamp, to: { ...timestamp, nullable: true } } },
    type: { ...text, enum: ['EVM'] },
  },
  { title: 'Hook' },
)

export const slotSchema = objectSchema(
  {
    key: { ...text, description: '0x and 64 hex digits' },
    timestamp,
    value: { ...text, nullable: true, description: '0x and 64 hex digits; null when the slot was only read' },
  },
  { title: 'HookStorageSlot' },
)
