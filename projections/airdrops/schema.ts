import { entityIdCollections } from '#projections/entity-ids/schema.ts'
import type { RowOf } from '#src/ports/read-store.ts'
import { defineSchema } from '#src/runtime/schema/define-schema.ts'

/**
 * What became of an airdrop, by number. Only a claim or a cancellation ends one, whatever happens to its accounts, its token or
 * the NFT meanwhile.
 */
const states: readonly string[] = ['PENDING', 'CLAIMED', 'CANCELLED']

/** -1 for another name. */
export function airdropState(name: string): number {
  return states.indexOf(name)
}

/** An airdrop that its receiver has to claim, as it was from `from` (inclusive) until `until` (exclusive). Times are consensus times in ns. */
const airdropFields = {
  /** Entity ids. */
  sender: 'int64',
  receiver: 'int64',
  token: 'int64',
  /** Serial number of the NFT; 0 for a fungible token. */
  serial: 'int64',
  from: 'int64',
  /** null while it is so. */
  until: 'int64?',
  /** All that is pending together; null for an NFT. */
  amount: 'int64?',
  state: 'int32',
} as const

/** Version 2 of the airdrops read model: airdrops that wait for a claim, and what became of them. */
export const airdropsSchema = defineSchema({
  name: 'airdrops',
  version: 2,
  collections: {
    ...entityIdCollections,
    /** Each airdrop as it is now. */
    airdrops: {
      kind: 'versioned',
      fields: airdropFields,
      key: ['sender', 'receiver', 'token', 'serial'],
      indexes: [
        ['sender', 'state', 'receiver', 'token', 'serial'],
        // For one token of many receivers.
        ['sender', 'state', 'token', 'receiver', 'serial'],
        // Tells a reader whether any of them changed while it read.
        ['sender', 'from'],
        ['receiver', 'state', 'sender', 'token', 'serial'],
        ['receiver', 'state', 'token', 'sender', 'serial'],
        ['receiver', 'from'],
      ],
    },
  },
})

export type AirdropRow = RowOf<typeof airdropsSchema, 'airdrops'>
