import { defineSchema } from '#src/runtime/schema/define-schema.ts'

/** Whom an account stakes to; the same of every version and of the present. */
const choiceFields = {
  /** Number of the node; -1 for none. */
  node: 'int64',
  /** Entity id of the account; 0 for none. */
  stakedAccount: 'int64',
  /** 1: it refuses rewards. */
  declines: 'int32',
  /** Days since 1970-01-01 when the present stake began, or the last day that was paid; -1 for none. */
  periodStart: 'int64',
} as const

/** Version 2 of the staking read model. Updates are the daily ones of the nodes' stakes, counted from 1. */
export const stakingSchema = defineSchema({
  name: 'staking',
  version: 2,
  collections: {
    /** Balances (tinybar) of 4 accounts with successive numbers, and which of them are stakers, a bit each: `packing/account-blocks.ts`. */
    accountBlocks: {
      kind: 'state',
      fields: {
        block: 'int64',
        stakers: 'int32',
        balance0: 'int64',
        balance1: 'int64',
        balance2: 'int64',
        balance3: 'int64',
      },
      key: ['block'],
    },
    /** Accounts that chose to stake once, or that others stake to. */
    stakers: {
      kind: 'state',
      fields: {
        account: 'int64',
        ...choiceFields,
        /** ns; since when the choice holds. */
        since: 'int64',
        /** tinybar; held by the accounts that stake to this one. */
        stakedToMe: 'int64',
        /** The update up to which `tail` says what was at stake. */
        seen: 'int32',
        /** 1: its stake was stated once. */
        stated: 'int32',
        /** How many chunks of older runs were put away. */
        chunks: 'int32',
        /** Packed runs of updates with the same stake: `packing/runs.ts`. */
        tail: 'bytes',
        /** Sequence of the event that wrote the row last. */
        from: 'int64',
      },
      key: ['account'],
    },
    /** Choices by the time they were made. */
    choices: {
      kind: 'facts',
      time: 'since',
      fields: { account: 'int64', since: 'int64', ...choiceFields },
      key: ['account', 'since'],
    },
    /** Chunks of older runs. */
    runs: {
      kind: 'facts',
      untimed: 'counted by updates: a reader takes those up to the update that it is bounded by',
      fields: { account: 'int64', first: 'int32', packed: 'bytes' },
      key: ['account', 'first'],
    },
    /** What was stated of an account's stake. */
    statedStakes: {
      kind: 'facts',
      time: 'asOf',
      fields: {
        account: 'int64',
        asOf: 'int64',
        validTo: 'int64?',
        /** Days since 1970-01-01; the period that ended last. */
        endPeriod: 'int64',
        /** tinybar */
        pendingReward: 'int64',
        /** The newest update then. */
        update: 'int32',
      },
      key: ['account', 'asOf'],
    },
    /** Key 0: the newest update. */
    newest: {
      kind: 'state',
      fields: { id: 'int32', update: 'int32', nodes: 'bytes' },
      key: ['id'],
    },
    updates: {
      kind: 'facts',
      time: 'time',
      fields: { update: 'int32', time: 'int64', epochDay: 'int64' },
      key: ['update'],
      indexes: [['time'], ['epochDay']],
    },
    /** tinybar for each hbar at stake with a node since the first update, by update: a difference is what a while earned. */
    earnings: {
      kind: 'facts',
      untimed: 'found by an update, which has a time',
      fields: { node: 'int64', update: 'int32', total: 'int64' },
      key: ['node', 'update'],
    },
    /** Rewards paid. */
    rewards: {
      kind: 'facts',
      time: 'time',
      fields: { account: 'int64', time: 'int64', amount: 'int64' },
      key: ['account', 'time'],
    },
    /** Figures of the whole network, as each update set them: JSON text of the API's object. */
    networkStakes: {
      kind: 'facts',
      time: 'time',
      fields: { time: 'int64', body: 'text' },
      key: ['time'],
    },
  },
})

/** The only row of `newest`. */
export const newestKey = 0
