import { defineSchema } from '#src/runtime/schema/define-schema.ts'

/** What a posting's term means: an account's id, a type's number, 0 for failures, a token's id. */
export const postingKind = { account: 0, type: 1, failed: 2, nftParty: 3, token: 4 } as const

export const transactionLists = {
  /** Transactions by account, type, failure and token, with what `packPosting` says of them. */
  postings: { of: 'transactions', payloadBytes: 4, buckets: 1_024, directory: true },
  /** By the first 8 bytes of the hash, read as a big-endian signed integer. */
  hashes: { of: 'transactions', payloadBytes: 0, buckets: 256 },
} as const

/** Version 4 of the transactions read model. Times are ns, ids are encoded entity ids. */
export const transactionsSchema = defineSchema({
  name: 'transactions',
  version: 4,
  collections: {
    transactions: {
      kind: 'facts',
      time: 'consensusTimestamp',
      fields: {
        consensusTimestamp: 'int64',
        validStart: 'int64',
        payer: 'int64',
        nonce: 'int32',
        /** 1 when it ran from a schedule. */
        scheduled: 'int32',
        type: 'int32',
        result: 'int32',
        /** Bits of transactionFlag. */
        flags: 'int32',
        /** Every account that the account filter matches, packed by encodeParties. */
        parties: 'bytes',
        /** The record's hash, null when it has none. */
        hash: 'bytes?',
        /** Ids of a batch's inner transactions, packed by encodeInnerIds; null for all others. */
        innerIds: 'bytes?',
        /** NFT transfers, packed by encodeNftTransfers; null where there are none. */
        nftTransfers: 'bytes?',
        /** The transaction object of the REST API as JSON text. */
        body: 'text',
        /** JSON text of assessed_custom_fees, null when there are none. */
        assessedCustomFees: 'text?',
      },
      key: ['consensusTimestamp'],
      indexes: [['validStart', 'payer']],
    },
  },
  lists: transactionLists,
})

/** Bits of the `flags` field of a transaction row. */
export const transactionFlag = {
  /** Some hbar or fungible token transfer is positive; likewise negative. */
  credit: 1,
  debit: 2,
  success: 4,
} as const
