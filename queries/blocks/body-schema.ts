import { int64, objectSchema, text } from '#queries/common/object-schema.ts'

/** The block object, for the documentation; rows are rendered by the projection. */
export const blockSchema = objectSchema(
  {
    count: { ...int64, description: 'Transactions' },
    gas_used: { ...int64, nullable: true },
    hapi_version: { ...text, nullable: true, example: '0.47.0' },
    hash: { ...text, description: '0x and 96 hex digits' },
    logs_bloom: { ...text, nullable: true, description: '0x and 512 hex digits' },
    name: { ...text, description: 'Name of the record file' },
    number: int64,
    previous_hash: text,
    receipts_root: {
      ...text,
      nullable: true,
      description:
        '0x and 64 hex digits: root of the Merkle-Patricia trie of the receipts, as JSON-RPC relays compute it; zeros where there are none. An extension of this service; null while they are not known',
    },
    size: { type: 'integer', nullable: true, description: 'Bytes' },
    timestamp: objectSchema({ from: text, to: text }, { title: 'TimestampRange' }),
  },
  { title: 'Block' },
)
