import type { AirdropRow } from '#projections/airdrops/schema.ts'
import { defineObject } from '#queries/common/define-object.ts'
import { sinceSchema, text } from '#queries/common/object-schema.ts'
import { entityText, sinceText } from '#src/domain/json-text.ts'

const number = { type: 'integer', format: 'int64', nullable: true }

/** An airdrop that waits for a claim. */
export const airdropObject = defineObject<AirdropRow>(
  {
    amount: [
      { ...number, description: 'All that is pending of a fungible token; null for an NFT' },
      ({ amount }) => amount,
    ],
    receiver_id: [text, ({ receiver }) => entityText(receiver)],
    sender_id: [text, ({ sender }) => entityText(sender)],
    serial_number: [
      { ...number, description: 'Of an NFT; null for a fungible token' },
      ({ serial }) => (serial === 0n ? null : serial),
    ],
    timestamp: [sinceSchema('Of the newest airdrop that it was part of'), ({ from }) => sinceText(from)],
    token_id: [text, ({ token }) => entityText(token)],
  },
  { title: 'TokenAirdrop' },
)
