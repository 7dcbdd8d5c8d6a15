import { defineSchema } from '#src/runtime/schema/define-schema.ts'

/**
 * A series of points in time, packed: the newest in the row, older ones in chunks of `history`. `from` is the sequence of
 * the event that wrote the row last: a request as of before it reads the point at its instant.
 */
const seriesFields = {
  from: 'int64',
  segment: 'int32',
  chunks: 'int32',
  points: 'int32',
  tail: 'bytes',
} as const

/** Version 6 of the balances read model: who holds how much, and how many do, now and at any instant. */
export const balancesSchema = defineSchema({
  name: 'balances',
  version: 6,
  collections: {
    /** Hbar of one account. */
    balances: {
      kind: 'state',
      fields: {
        account: 'int64',
        /** tinybar; the sum of what was moved where `known` says that nothing else is known. */
        balance: 'int64',
        /** ns; last change; null when unknown. */
        changed: 'int64?',
        /** 0: only transfers name the account, so nobody knows what it had; 1: known; 2: stated to be unknown. */
        known: 'int32',
        /** 1: the account was created, or stated to exist. */
        exists: 'int32',
        ...seriesFields,
      },
      key: ['account'],
    },
    /** Units of one token that one account holds, of an NFT collection how many of them. */
    tokenBalances: {
      kind: 'state',
      fields: {
        account: 'int64',
        token: 'int64',
        /** Smallest unit of the token; the sum of what was moved where nothing else is known. */
        balance: 'int64',
        /** ns; last change; null when unknown. */
        changed: 'int64?',
        /** 1: associated, and with a known balance. */
        listed: 'int32',
        ...seriesFields,
      },
      key: ['account', 'token'],
    },
    /** The listed tokens of one account with their balances, so that a page needs one row for each account. */
    holdings: {
      kind: 'state',
      fields: {
        account: 'int64',
        /** ns; last change of any of them. */
        since: 'int64',
        /** Sequence of the event that wrote the row last. */
        from: 'int64',
        /** Packed pairs of token and balance, 16 bytes each, in ascending order; null once there were too many. */
        tokens: 'bytes?',
      },
      key: ['account'],
    },
    /** Chunks of older points; token 0 for hbar. */
    history: {
      kind: 'facts',
      untimed: 'a chunk has points of many times: who reads it takes those up to the instant',
      fields: { account: 'int64', token: 'int64', segment: 'int32', first: 'int64', points: 'bytes' },
      key: ['account', 'token', 'segment', 'first'],
    },
    /** Since when a segment of a series holds; of the first one there is no row. */
    segments: {
      kind: 'facts',
      time: 'start',
      fields: { account: 'int64', token: 'int64', segment: 'int32', start: 'int64' },
      key: ['account', 'token', 'segment'],
    },
    /** Account -1 stands for the unreleased accounts of the main network together: their sum as a series. */
    sums: {
      kind: 'state',
      fields: {
        account: 'int64',
        balance: 'int64',
        /** ns; last change of any of them; null when unknown. */
        changed: 'int64?',
        /** How many of them have a known balance. */
        members: 'int32',
        /** ns; a statement about the past came later: before this, their own series are to be asked. */
        exactFrom: 'int64',
        /** ns; the newest point. */
        newest: 'int64',
        ...seriesFields,
      },
      key: ['account'],
    },
    /**
     * How many accounts hold more than nothing of a token, or of hbar (0); of -1, how many accounts there are; of -3, the greatest
     * id of theirs.
     */
    counts: {
      kind: 'state',
      fields: {
        counted: 'int64',
        /** ns; a statement about the past came later: of the time before this, the count is unknown. */
        exactFrom: 'int64',
        ...seriesFields,
      },
      key: ['counted'],
    },
    /** Key 0: the newest times at which some balance changed, `count` of 8 bytes each, and room for more. */
    clock: {
      kind: 'state',
      fields: { id: 'int32', newest: 'int64', from: 'int64', count: 'int32', tail: 'bytes' },
      key: ['id'],
    },
    /** The older ones of them, a chunk by its first time. */
    changeTimes: {
      kind: 'facts',
      untimed: 'a chunk has many times: who reads it takes those up to the instant',
      fields: { first: 'int64', times: 'bytes' },
      key: ['first'],
    },
    /** Times of changes that were stated, and not seen. */
    statedTimes: {
      kind: 'facts',
      untimed: 'a statement may be of a time that no event has reached: who asks for the present gets it as well',
      fields: { time: 'int64' },
      key: ['time'],
    },
  },
})

/** The token that stands for hbar in `history`, `segments` and `counts`. */
export const hbar = 0n

/** What stands for all accounts in `counts`. */
export const allAccounts = -1n

/** What stands for the greatest id of an account in `counts`. */
export const greatestAccount = -3n

/** The account that `history` has older points of `counts` by. */
export const countsAccount = -2n
