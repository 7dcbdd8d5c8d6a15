const count = { type: 'integer', format: 'int64' }
const text = { type: 'string' }

/** The block object, for the documentation; rows are rendered by the projection. */
export const blockSchema = {
  type: 'object',
  properties: {
    count: { ...count, description: 'Transactions' },
    gas_used: { ...count, nullable: true },
    hapi_version: { ...text, nullable: true, example: '0.47.0' },
    hash: { ...text, description: '0x and 96 hex digits' },
    logs_bloom: { ...text, nullable: true, description: '0x and 512 hex digits' },
    name: { ...text, description: 'Name of the record file' },
    number: count,
    previous_hash: text,
    size: { type: 'integer', nullable: true, description: 'Bytes' },
    timestamp: { type: 'object', properties: { from: text, to: text } },
  },
}

export const blockListSchema = {
  type: 'object',
  properties: {
    blocks: { type: 'array', items: blockSchema },
    links: { type: 'object', properties: { next: { ...text, nullable: true } } },
  },
}
