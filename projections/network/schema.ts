import type { RowOf } from '#src/ports/read-store.ts'
import { defineSchema } from '#src/runtime/schema/define-schema.ts'

/** A consensus node, in force from `from` (inclusive) until `until` (exclusive). Times are consensus times in ns. */
const nodeFields = {
  nodeId: 'int64',
  from: 'int64',
  /** null while it is in force. */
  until: 'int64?',
  /** Entity id; null: as the address book says. */
  accountId: 'int64?',
  /** Serialized Key. */
  adminKey: 'bytes?',
  /** JSON array of the numbers of registered nodes. */
  associated: 'text',
  declineReward: 'int32',
  /** JSON object of the API; null when there is none. */
  grpcProxy: 'text?',
  /** null when unknown. */
  created: 'int64?',
  deleted: 'int32',
} as const

const registeredNodeFields = {
  id: 'int64',
  from: 'int64',
  until: 'int64?',
  adminKey: 'bytes?',
  description: 'text?',
  /** Kinds among the endpoints: bit n is kind number n. */
  kinds: 'int32',
  /** JSON array of the API. */
  endpoints: 'text',
  created: 'int64?',
  deleted: 'int32',
  /** JSON text of what is shown while it is in force. */
  text: 'text',
} as const

/** Version 2 of the network read model: address books, consensus nodes with their stakes, and registered nodes. */
export const networkSchema = defineSchema({
  name: 'network',
  version: 2,
  collections: {
    /** Uploads of the address book files. */
    files: {
      kind: 'state',
      fields: {
        /** Entity id. */
        fileId: 'int64',
        /** What the file holds since its last creation or update; null when not known. */
        contents: 'bytes?',
        /** Start of the newest book that the contents made, or that was stated. */
        book: 'int64?',
      },
      key: ['fileId'],
    },
    addressBooks: {
      kind: 'state',
      fields: {
        fileId: 'int64',
        /** First instant of validity. */
        start: 'int64',
        /** Last instant; null while it is in force. */
        end: 'int64?',
        nodeCount: 'int32',
      },
      key: ['fileId', 'start'],
    },
    addressBookEntries: {
      kind: 'facts',
      untimed: 'they count from the beginning of their address book, which is found first',
      fields: {
        fileId: 'int64',
        start: 'int64',
        nodeId: 'int64',
        accountId: 'int64?',
        description: 'text?',
        memo: 'text?',
        /** JSON text of what is shown: hex digits with 0x, as the next one. */
        publicKey: 'text',
        certHash: 'text',
        /** JSON array of the API. */
        endpoints: 'text',
      },
      key: ['fileId', 'start', 'nodeId'],
    },
    /** The newest version of each node. */
    nodes: { kind: 'versioned', fields: nodeFields, key: ['nodeId'] },
    /** Stakes as each update set them; -1 where unknown. Amounts are tinybars. */
    nodeStakes: {
      kind: 'facts',
      time: 'time',
      fields: {
        /** Consensus time of the update. */
        time: 'int64',
        nodeId: 'int64',
        /** Last instant of the period that ended. */
        stakingPeriod: 'int64',
        maxStake: 'int64',
        minStake: 'int64',
        rewardRate: 'int64',
        stake: 'int64',
        stakeNotRewarded: 'int64',
        stakeRewarded: 'int64',
      },
      key: ['time', 'nodeId'],
    },
    /** The newest version of each registered node. */
    registeredNodes: { kind: 'versioned', fields: registeredNodeFields, key: ['id'] },
  },
})

export type NodeRow = RowOf<typeof networkSchema, 'nodes'>
export type RegisteredNodeRow = RowOf<typeof networkSchema, 'registeredNodes'>
