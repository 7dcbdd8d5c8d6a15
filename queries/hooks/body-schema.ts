const text = { type: 'string' }
const timestamp = { ...text, description: 'Seconds and nanoseconds' }
const links = { type: 'object', properties: { next: { ...text, nullable: true } } }
const number = { type: 'integer', format: 'int64' }

const hookSchema = {
  type: 'object',
  properties: {
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
}

export const hookListSchema = {
  type: 'object',
  properties: { hooks: { type: 'array', items: hookSchema }, links },
}

const slotSchema = {
  type: 'object',
  properties: {
    key: { ...text, description: '0x and 64 hex digits' },
    timestamp,
    value: { ...text, nullable: true, description: '0x and 64 hex digits; null when the slot was only read' },
  },
}

export const storageSchema = {
  type: 'object',
  properties: { hook_id: number, links, owner_id: text, storage: { type: 'array', items: slotSchema } },
}
