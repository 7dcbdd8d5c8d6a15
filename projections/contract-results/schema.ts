import { entityIdCollections } from '#projections/entity-ids/schema.ts'
import { protocolCollections } from '#projections/protocol/schema.ts'
import type { RowOf } from '#src/ports/read-store.ts'
import { defineSchema } from '#src/runtime/schema/define-schema.ts'

/** What a posting's term means: the contract that was called or created, or the sender of the message. */
export const resultTermKind = { contract: 0, sender: 1 } as const

const contractResultLists = {
  /** Results by contract and sender; the payload is 1 for those of transactions that the network made itself. */
  postings: { of: 'results', payloadBytes: 1, buckets: 256, directory: true },
  /** By the first 8 bytes of the hash, read as a big-endian signed integer. */
  hashes: { of: 'results', payloadBytes: 0, buckets: 64 },
} as const

/**
 * Version 5 of the contract-results read model: what transactions did in the EVM, with their traces, and what Ethereum
 * transactions asked for. Times are ns, ids are encoded entity ids.
 */
export const contractResultsSchema = defineSchema({
  name: 'contract-results',
  version: 5,
  collections: {
    ...entityIdCollections,
    results: {
      kind: 'facts',
      time: 'time',
      fields: {
        time: 'int64',
        /** 0: none. */
        contract: 'int64',
        /** null where only an alias tells who it is. */
        sender: 'int64?',
        payer: 'int64',
        nonce: 'int32',
        /** Among the transactions of its block that the EVM sees, as stated; null of what was recorded, whose place the logs tell. */
        transactionIndex: 'int32?',
        /** 32 bytes. */
        hash: 'bytes?',
        result: 'int32',
        /** Whether there is a row of the Ethereum transaction, and what it leaves out: one of ethereumKind. */
        ethereum: 'int32',
        /** Tinybars. */
        amount: 'int64?',
        gasLimit: 'int64?',
        error: 'text?',
        /** Hex digits, as the next three. */
        parameters: 'text',
        /** null when it failed before execution, as the next one. */
        callResult: 'text?',
        /** Empty for nothing but zeros. */
        bloom: 'text?',
        /** null where there is none. */
        failedInitcode: 'text?',
        /** JSON text of the members that every form has: from the contract to the time. */
        head: 'text',
        /** Of those that only the longer form has and that do not depend on others: from how it ended to the last, in tinybars. */
        tail: 'text',
        /** Packed by encodeStateChanges; null where there are none. */
        stateChanges: 'bytes?',
      },
      key: ['time'],
    },
    /** What the raw bytes of Ethereum transactions say, failed ones included. Amounts are weibars, big-endian. */
    ethereum: {
      kind: 'facts',
      time: 'time',
      fields: {
        time: 'int64',
        type: 'int32',
        chainId: 'bytes?',
        nonce: 'int64?',
        gasPrice: 'bytes?',
        maxFeePerGas: 'bytes?',
        maxPriorityFeePerGas: 'bytes?',
        gasLimit: 'int64',
        /** Empty for a creation. */
        toAddress: 'bytes?',
        /** Signed. */
        value: 'bytes?',
        callData: 'bytes?',
        /** File with the call data as hex text. */
        callDataId: 'int64?',
        accessList: 'bytes?',
        /** Packed by encodeAuthorizations; null of other types than EIP-7702. */
        authorizations: 'bytes?',
        recoveryId: 'int32?',
        signatureR: 'bytes?',
        signatureS: 'bytes?',
        signatureV: 'bytes?',
      },
      key: ['time'],
    },
    /** The calls of a trace. Enumerations are their numbers. */
    actions: {
      kind: 'facts',
      time: 'time',
      fields: {
        time: 'int64',
        index: 'int32',
        depth: 'int32',
        callType: 'int32',
        operation: 'int32',
        caller: 'int64?',
        /** 1: a contract, 0: an account. */
        callerIsContract: 'int32',
        gas: 'int64',
        gasUsed: 'int64',
        input: 'bytes?',
        recipientAccount: 'int64?',
        recipientContract: 'int64?',
        recipientAddress: 'bytes?',
        resultData: 'bytes?',
        /** Field of ContractAction: 11 output, 12 revert reason, 13 error; 0 for none. */
        resultType: 'int32',
        value: 'int64',
      },
      key: ['time', 'index'],
    },
    ...protocolCollections,
  },
  lists: contractResultLists,
})

export type ContractResultsSchema = typeof contractResultsSchema
export type ResultRow = RowOf<ContractResultsSchema, 'results'>
export type EthereumRow = RowOf<ContractResultsSchema, 'ethereum'>
export type ActionRow = RowOf<ContractResultsSchema, 'actions'>
