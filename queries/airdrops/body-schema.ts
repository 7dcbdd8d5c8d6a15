import { objectSchema, text } from '#queries/common/object-schema.ts'

const number = { type: 'integer', format: 'int64', nullable: true }

export const airdropSchema = objectSchema(
  {
    amount: { ...number, description: 'All that is pending of a fungible token; null for an NFT' },
    receiver_id: text,
    sender_id: text,
    serial_number: { ...number, description: 'Of an NFT; null for a fungible token' },
    timestamp: objectSchema({
      from: { ...text, description: 'Of the newest airdrop that it was part of' },
      to: { ...text, nullable: true },
    }),
    token_id: text,
  },
  { title: 'TokenAirdrop' },
)
