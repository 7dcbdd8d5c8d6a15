import { linksSchema, objectSchema } from '#queries/common/object-schema.ts'

const count = { type: 'integer', format: 'int64' }
const text = { type: 'string' }

/** The block object, for the documentation; rows are rendered by the projection. */
export const blockSchema = objectSchema(
  {
    count: { ...count, description: 'Transactions' },
    gas_used: { ...count, nullable: true },
    hapi_version: { ...text, nullable: true, example: '0.47.0' },
    hash: { ...text, description: '0x and 96 hex digits' },
    logs_bloom: { ...text, nullable: true, description: '0x and 512 hex digits' },
    name: { ...text, description: 'Name of the record file' },
    number: count,
    previous_hash: text,
    size: { type: 'integer', nullable: true, description: 'Bytes' },
    timestamp: objectSchema({ from: text, to: text }, { title: 'TimestampRange' }),
  },
  { title: 'Block' },
)

export const blockListSchema = objectSchema(
  { blocks: { type: 'array', items: blockSchema }, links: linksSchema },
  { title: 'BlockList' },
)
