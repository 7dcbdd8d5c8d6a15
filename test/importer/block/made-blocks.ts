import { isLedgerError } from '#src/domain/errors.ts'
import type { Block } from '#src/importer/block/block.ts'
import { malformedBlock } from '#src/importer/block/malformed-block.ts'
import { readBlock } from '#src/importer/block/read-block.ts'
import { blockRecords } from '#src/importer/block/records/block-records.ts'
import { type KnownFacts, nothingKnown } from '#src/importer/block/records/known-facts.ts'
import { type BlockTransactions, readTransactions } from '#src/importer/block/records/transactions.ts'
import type { SourceBlock } from '#src/ports/block-node.ts'
import { encode, type Message } from '#src/simulator/codec.ts'
import { decode } from '#test/simulator/read-back.ts'

/** What is wrong with a block in a test. */
export const fail = (reason: string) => malformedBlock('a block', reason)

/** A Timestamp; all of a test lie within one second. */
export const at = (nanos: number): Message => ({ seconds: 1_700_000_000, nanos })
export const nanosAt = (nanos: number): bigint => 1_700_000_000_000_000_000n + BigInt(nanos)

export const accountId = (accountNum: number): Message => ({ accountNum })
export const tokenId = (tokenNum: number): Message => ({ tokenNum })
export const contractId = (contractNum: number): Message => ({ contractNum })
export const hash48 = (byte: number): Buffer => Buffer.alloc(48, byte)

/** A serialized BlockItem of one field. */
export function itemBytes(item: Message): Buffer {
  return Buffer.from(encode('com.hedera.hapi.block.stream.BlockItem', item))
}

/** A serialized Block of items that are serialized already, or are messages of one field. */
export function blockBytes(items: readonly (Message | Uint8Array)[]): Buffer {
  return Buffer.concat(
    items.map((item) => {
      const bytes = item instanceof Uint8Array ? item : itemBytes(item)
      return Buffer.concat([Buffer.of(0x0a), varint(bytes.length), bytes])
    }),
  )
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) bytes.push((rest & 0x7f) | 0x80)
  return Buffer.from([...bytes, rest])
}

export const header = (fields: Message = {}): Message => ({
  blockHeader: { number: 7, blockTimestamp: at(0), hapiProtoVersion: { minor: 78 }, ...fields },
})
export const footer = (fields: Message = {}): Message => ({
  blockFooter: {
    previousBlockRootHash: hash48(1),
    rootHashOfAllBlockHashesTree: hash48(2),
    startOfBlockStateRootHash: hash48(3),
    ...fields,
  },
})
export const signatureProof = (block = 7, blockSignature: Uint8Array = Buffer.of(1)): Message => ({
  blockProof: { block, signedBlockProof: { blockSignature } },
})

export function sourceOf(bytes: Buffer, fields: Partial<SourceBlock> = {}): SourceBlock {
  return {
    number: 7n,
    name: '0000000000000000007.blk',
    pieces: [bytes],
    size: undefined,
    origin: 'a source',
    headerAt: 0,
    completeAt: 0,
    ...fields,
  }
}

/** Items between a header and a footer, with a proof of nothing; redacted ones are accepted. */
export function blockOf(items: readonly (Message | Uint8Array)[], headerFields: Message = {}): Block {
  const bytes = blockBytes([header(headerFields), ...items, footer(), signatureProof()])
  return readBlock(sourceOf(bytes), new Set(['redactions']))
}

/** The error that a test expects. */
export function errorOf(attempt: () => unknown): unknown {
  try {
    attempt()
  } catch (error) {
    return error
  }
  throw new Error('nothing was wrong')
}

/** The reason of the error that a test expects. */
export function reasonOf(attempt: () => unknown): string {
  const error = errorOf(attempt)
  if (isLedgerError(error, 'file_malformed')) return String(error.details['reason'])
  throw error
}

export interface SignedOptions {
  readonly id?: Message
  readonly memo?: string
  /** Of an older Transaction with body and signatures side by side. */
  readonly wasUnsigned?: boolean
  readonly signatures?: Message
}

/** A serialized SignedTransaction. */
export function signed(body: Message, { id, memo, wasUnsigned, signatures }: SignedOptions = {}): Buffer {
  const bodyBytes = encode('proto.TransactionBody', {
    transactionID: { accountID: accountId(1_001), transactionValidStart: at(1), ...id },
    ...(memo ? { memo } : {}),
    ...body,
  })
  return Buffer.from(
    encode('proto.SignedTransaction', {
      bodyBytes,
      sigMap: signatures ?? { sigPair: [] },
      ...(wasUnsigned ? { useSerializedTxMessageHashAlgorithm: true } : {}),
    }),
  )
}

export interface Execution extends SignedOptions {
  /** Fields of the result beside its time; the status is SUCCESS. */
  readonly result?: Message
  /** Time of the parent. */
  readonly parent?: number
  readonly outputs?: readonly Message[]
  readonly traces?: readonly Message[]
  /** StateChange messages that the network committed with it. */
  readonly state?: readonly Message[]
  /** Inside a batch, whose body has it. */
  readonly isInner?: boolean
}

const success = 22

/** The items of a transaction. */
export function executed(time: number, body: Message, execution: Execution = {}): Message[] {
  const { result, parent, outputs = [], traces = [], state, isInner } = execution
  return [
    ...(isInner ? [] : [{ signedTransaction: signed(body, execution) }]),
    {
      transactionResult: {
        status: success,
        consensusTimestamp: at(time),
        ...(parent === undefined ? {} : { parentConsensusTimestamp: at(parent) }),
        ...result,
      },
    },
    ...outputs.map((transactionOutput) => ({ transactionOutput })),
    ...traces.map((traceData) => ({ traceData })),
    ...(state ? [stateChanges(time, state)] : []),
  ]
}

export function stateChanges(time: number, changes: readonly Message[]): Message {
  return { stateChanges: { consensusTimestamp: at(time), stateChanges: changes } }
}

/** A StateChange: an entry of a map has this value now, or was written with the value that it had. */
export function put(stateId: number, key: Message, value: Message, identical = false): Message {
  return { stateId, mapUpdate: { key, value, ...(identical ? { identical } : {}) } }
}

export function removed(stateId: number, key: Message): Message {
  return { stateId, mapDelete: { key } }
}

export const nonceOf = (nonce: number): { readonly id: Message } => ({ id: { nonce } })

export function transactionsOf(items: readonly Message[]): BlockTransactions {
  return readTransactions(blockOf(items), fail)
}

export interface ToldRecord {
  readonly record: Message
  readonly receipt: Message
  /** A Transaction. */
  readonly transaction: Message
}

export interface ToldBlock {
  readonly records: readonly ToldRecord[]
  readonly sidecars: readonly Message[]
  readonly warnings: readonly string[]
}

/** What the records of a block say. */
export function toldBy(items: readonly Message[], known: Partial<KnownFacts> = {}): ToldBlock {
  const {
    items: records,
    sidecarRecords,
    warnings,
  } = blockRecords(transactionsOf(items), { ...nothingKnown, ...known }, fail)
  return {
    records: records.map((item) => {
      const record = decode('proto.TransactionRecord', item.record)
      return {
        record,
        receipt: record['receipt'] as Message,
        transaction: decode('proto.Transaction', item.transaction),
      }
    }),
    sidecars: sidecarRecords.map((sidecar) => decode('proto.TransactionSidecarRecord', sidecar)),
    warnings,
  }
}

/** What the record of the one transaction of a block says. */
export function recordOf(items: readonly Message[], known?: Partial<KnownFacts>): ToldRecord {
  const [one, ...others] = toldBy(items, known).records
  if (!one || others.length > 0) throw new Error(`the block has ${others.length + 1} records`)
  return one
}

/** Receipts of the records of a block. */
export function receiptsOf(items: readonly Message[], known?: Partial<KnownFacts>): Message[] {
  return toldBy(items, known).records.map(({ receipt }) => receipt)
}
