import { entityIdCollections } from '#projections/entity-ids/schema.ts'
import type { RowOf } from '#src/ports/read-store.ts'
import { defineSchema } from '#src/runtime/schema/define-schema.ts'

/** What a term of the list means: a contract's id, the first 8 bytes of a transaction hash, or of the hash of a topic. */
export const logTermKind = { contract: 0, transactionHash: 1, topic0: 2, topic1: 3, topic2: 4, topic3: 5 } as const

/** What gave rise to a log. */
export const logKind = {
  /** A contract. */
  recorded: 0,
  /** An operation of the ledger's own tokens, as all that follow. */
  made: 1,
  /** The first of a transaction that has no contract result: its row in lists of results is made of it. */
  leading: 2,
  /** A movement of all NFTs that an account has of a token, none of which it names: in no list. */
  ofAll: 3,
} as const

const contractLogLists = {
  /**
   * By contract, topics and transaction hash. An entry has the time and the number of a row's key; a few lead to no row, since
   * it is known only at the end of a block which logs of calls are made up for it.
   */
  logTerms: { of: 'logs', payloadBytes: 4, buckets: 256 },
} as const

/** Version 5 of the contract-logs read model. Times are ns, ids are encoded entity ids, 0 for none. */
export const contractLogsSchema = defineSchema({
  name: 'contract-logs',
  version: 5,
  collections: {
    logs: {
      kind: 'facts',
      time: 'consensusTimestamp',
      fields: {
        /** Consensus time of the transaction whose record gave rise to the log, and the log's number among those. */
        time: 'int64',
        number: 'int32',
        /** Where it is shown: the time of the transaction that it belongs to, and its number in the block, from 0. */
        consensusTimestamp: 'int64',
        index: 'int32',
        /** The contract or token that logs; an address of its own is among the named entities. */
        contractId: 'int64',
        /** Of the transaction's result. */
        rootContractId: 'int64?',
        payer: 'int64',
        /** Packed by packDigits: hash of the transaction, bloom, data and topics. */
        digits: 'text',
        /** Place of that transaction among those of the block that the EVM sees. */
        transactionIndex: 'int32?',
        /** One of logKind. */
        kind: 'int32',
        /** End of its block; null when the block is unknown. */
        blockEnd: 'int64?',
      },
      key: ['time', 'number'],
      indexes: [['consensusTimestamp', 'index']],
    },
    /** Of transactions with a contract result, what only their block tells of them. */
    executions: {
      kind: 'facts',
      time: 'time',
      fields: {
        time: 'int64',
        /** Place among the transactions of the block that the EVM sees, from 0; a part of a call has that of the call. */
        transactionIndex: 'int32?',
        /** Filter of the logs that were made for parts of the call; null where there are none. */
        bloom: 'bytes?',
      },
      key: ['time'],
    },
    /** Of each block with receipts or made logs, what the record does not tell of them. */
    blockReceipts: {
      kind: 'facts',
      time: 'end',
      fields: {
        /** Consensus time of the block's last transaction. */
        end: 'int64',
        /** Filter of all its logs, as hex digits; null where that is the record's own, which holds none that were made. */
        bloom: 'text?',
        /** Root of the trie of its receipts, as hex digits; null where it has none. */
        root: 'text?',
      },
      key: ['end'],
    },
    /** The transactions of the open block that have logs or a contract result, in their order. Rows of earlier blocks stay. */
    openItems: {
      kind: 'state',
      fields: {
        /** Among these rows, from 0. */
        place: 'int32',
        time: 'int64',
        parent: 'int64?',
        payer: 'int64',
        /** Hex digits of 32 bytes, as logs have it. */
        transactionHash: 'text?',
        transactionIndex: 'int32?',
        /** The contract of its contract result; null when it has no result. */
        resultContract: 'int64?',
        /** That logs of parts of the call stand for: the one that was called or created, 0 where that is nobody. */
        callContract: 'int64',
        receiptContract: 'int64',
        /** 1 when it takes a place among the transactions that the EVM sees, unless it is part of one. */
        takesPlace: 'int32',
        /** Places of its parent and of the newest hook that ran for it before, -1 for none. */
        parentPlace: 'int32',
        hookPlace: 'int32',
        /** Place of the transaction that the logs made for it are shown with; its own unless it is part of a call. */
        hostPlace: 'int32',
        /** Packed by packOutcome; null of what lists of results do not show. */
        outcome: 'text?',
        /** Packed by packDrafts. */
        logs: 'text',
      },
      key: ['place'],
    },
    /** One row, slot 0: how many of the items above are of the open block, and what the blocks before it were like. */
    openBlock: {
      kind: 'state',
      fields: {
        slot: 'int32',
        items: 'int32',
        /** 1 when the network logs itself whatever tokens a call moves. */
        callsLogTokens: 'int32',
        /** Packed by packOptions: what the first block was read with holds for all of these rows, whatever is configured later. */
        options: 'int32',
      },
      key: ['slot'],
    },
    ...entityIdCollections,
  },
  lists: contractLogLists,
})

export type LogRow = RowOf<typeof contractLogsSchema, 'logs'>
export type OpenItemRow = RowOf<typeof contractLogsSchema, 'openItems'>
export type OpenBlockRow = RowOf<typeof contractLogsSchema, 'openBlock'>
export type ExecutionRow = RowOf<typeof contractLogsSchema, 'executions'>
