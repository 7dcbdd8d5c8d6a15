import { linksSchema, objectSchema } from '#queries/common/object-schema.ts'

const text = { type: 'string' }
const timestamp = { ...text, description: 'Seconds and nanoseconds' }
const number = { type: 'integer', format: 'int64' }

const hookSchema = objectSchema(
  {
    admin_key: { type: 'object', nullable: true, properties: { _type: text, key: text } },
    contract_id: { ...text, nullable: true },
    created_timestamp: { ...timestamp, nullable: true },
    deleted: { type: 'boolean' },
    extension_point: { ...text, enum: ['ACCOUNT_ALLOWANCE_HOOK'] },
    hook_id: number,
    owner_id: text,
    timestamp_range: { type: 'object', properties: { from: timestamp, to: { ...timestamp, nullable: true } } },
    type: { ...text, enum: ['EVM'] },
  },
  { title: 'Hook' },
)

export const hookListSchema = objectSchema(
  { hooks: { type: 'array', items: hookSchema }, links: linksSchema },
  { title: 'HookList' },
)

const slotSchema = objectSchema(
  {
    key: { ...text, description: '0x and 64 hex digits' },
    timestamp,
    value: { ...text, nullable: true, description: '0x and 64 hex digits; null when the slot was only read' },
  },
  { title: 'HookStorageSlot' },
)

export const storageSchema = objectSchema(
  { hook_id: number, links: linksSchema, owner_id: text, storage: { type: 'array', items: slotSchema } },
  { title: 'HookStorage' },
)
