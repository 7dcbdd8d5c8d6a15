import { entityIdCollections } from '#projections/entity-ids/schema.ts'
import type { RowOf } from '#src/ports/read-store.ts'
import { defineSchema } from '#src/runtime/schema/define-schema.ts'

/** What a term of the list means: a contract's id, the first 8 bytes of a transaction hash, or of the hash of a topic. */
export const logTermKind = { contract: 0, transactionHash: 1, topic0: 2, topic1: 3, topic2: 4, topic3: 5 } as const

export const contractLogLists = {
  /**
   * By contract, topics and transaction hash. An entry has the time and the number of a row's key; a few lead to no row, since
   * it is known only at the end of a block which logs of calls are made up for it.
   */
  logTerms: { of: 'logs', payloadBytes: 4, buckets: 256 },
} as const

/** Version 3 of the contract-logs read model. Times are ns, ids are encoded entity ids, 0 for none. */
export const contractLogsSchema = defineSchema({
  name: 'contract-logs',
  version: 3,
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
        transactionIndex: 'int32?',
        /** 1 when no contract logged it: made for an operation of the ledger's own tokens. */
        synthetic: 'int32',
        /** End of its block; null when the block is unknown. */
        blockEnd: 'int64?',
      },
      key: ['time', 'number'],
      indexes: [['consensusTimestamp', 'index']],
    },
    /** Of each block with made logs the filter of these; the record's own filter holds the others. */
    blockBlooms: {
      kind: 'facts',
      time: 'end',
      fields: {
        /** Consensus time of the block's last transaction. */
        end: 'int64',
        bloom: 'bytes',
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
        /** The same where the result is of a call, 0 where it is of a creation. */
        callContract: 'int64',
        receiptContract: 'int64',
        /** Places of its parent and of the newest hook that ran for it before, -1 for none. */
        parentPlace: 'int32',
        hookPlace: 'int32',
        /** Place of the transaction that the logs made for it are shown with; its own unless it is part of a call. */
        hostPlace: 'int32',
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
