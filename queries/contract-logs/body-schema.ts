import { objectSchema, text } from '#queries/common/object-schema.ts'

const hex = { ...text, example: '0x' }

export const logSchema = objectSchema(
  {
    address: { ...hex, description: 'EVM address of the contract or token' },
    block_hash: { ...hex, description: '0x and 96 hex digits; 0x when the block is not known' },
    block_number: { type: 'integer', format: 'int64', nullable: true },
    bloom: { ...hex, description: 'Filter of the log' },
    contract_id: { ...text, nullable: true },
    data: { ...hex, description: 'At least 32 bytes, or 0x' },
    index: { type: 'integer', description: 'Number of the log in its block, from 0' },
    root_contract_id: { ...text, nullable: true, description: 'Contract that the transaction called or created' },
    timestamp: text,
    topics: { type: 'array', items: hex, description: 'Of 32 bytes each' },
    transaction_hash: hex,
    transaction_index: { type: 'integer', nullable: true },
  },
  { title: 'ContractLog' },
)
