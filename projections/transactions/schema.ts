import type { ProjectionSchema } from '#src/ports/read-store.ts'

/**
 * Events per posting row. Entries of one term within an aligned run of this many sequences share a row, so an account
 * that takes part in every transaction costs one row per window instead of one per transaction.
 */
export const windowSize = 4_096

/**
 * Events per index segment. The keys that come in random order (hashes, rarely used accounts) are random only within the
 * newest segment, so the pages that a commit dirties stay few however long the ledger grows; a lookup asks each segment.
 */
export const segmentSize = 262_144

/** What a posting's term means. */
export const postingKind = { account: 0, type: 1, failed: 2, nftParty: 3 } as const

/** Version 1 of the transactions read model. Times are ns, ids are encoded entity ids. */
export const transactionsSchema = {
  name: 'transactions',
  version: 1,
  collections: {
    transactions: {
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
        /** The transaction object of the REST API as JSON text. */
        body: 'text',
        /** JSON text of assessed_custom_fees, null when there are none. */
        assessedCustomFees: 'text?',
      },
      key: ['consensusTimestamp'],
      indexes: [['validStart', 'payer']],
      appendOnly: true,
    },
    /** For a term (an account, a type, failure): the transactions that have it, packed by writePosting, per window. */
    postings: {
      fields: { segment: 'int32', kind: 'int32', term: 'int64', window: 'int32', entries: 'bytes' },
      key: ['segment', 'kind', 'term', 'window'],
      shardBy: 'term',
      // A window's row only grows, and readers pass over what is too new.
      appendOnly: true,
    },
    /** The first 8 bytes of a transaction's hash, read as a big-endian signed integer. */
    hashes: {
      fields: { segment: 'int32', hash: 'int64', consensusTimestamp: 'int64' },
      key: ['segment', 'hash', 'consensusTimestamp'],
      shardBy: 'hash',
      appendOnly: true,
    },
  },
} as const satisfies ProjectionSchema

/** Bits of the `flags` field of a transaction row. */
export const transactionFlag = {
  /** Some hbar or fungible token transfer is positive; likewise negative. */
  credit: 1,
  debit: 2,
  success: 4,
} as const
