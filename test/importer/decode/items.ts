import type protobuf from 'protobufjs'
import type { TransactionRecorded } from '#schemas/events/types.ts'
import { decodeEvent, encodeEvent } from '#src/events/codec.ts'
import { loadDescriptor } from '#src/events/descriptor.ts'
import type { BlockInput } from '#src/importer/decode/block-input.ts'
import { transactionEvents } from '#src/importer/decode/transaction-event.ts'

export const alice = 1001
export const bob = 1002
export const token = 2001

const messages = loadDescriptor()

type Fields = Record<string, unknown>

export interface ItemSketch {
  /** Second of the consensus time. */
  readonly at?: number
  /** Second of the consensus time of the parent. */
  readonly parent?: number
  readonly payer?: Fields
  readonly nonce?: number
  readonly body?: Fields
  readonly record?: Fields
  readonly receipt?: Fields
  readonly status?: number
  readonly form?: 'signed' | 'bodyBytes' | 'embedded'
  /** Raw bytes appended to the serialized body. */
  readonly extraBody?: Buffer
  readonly extraRecord?: Buffer
}

export type Item = BlockInput['items'][number]

export function encode(message: string, fields: Fields): Buffer {
  const type: protobuf.Type = messages.lookupType(message)
  return Buffer.from(type.encode(type.fromObject(fields)).finish())
}

export const account = (accountNum: number): Fields => ({ accountNum })
export const amount = (who: number, value: number, isApproval = false): Fields => ({
  accountID: account(who),
  amount: value,
  isApproval,
})

/** A transaction and its record as the network serializes them; a successful transfer of nothing unless told otherwise. */
export function item(sketch: ItemSketch = {}): Item {
  const transactionID = {
    accountID: sketch.payer ?? account(alice),
    transactionValidStart: { seconds: 1_000 },
    nonce: sketch.nonce ?? 0,
  }
  const common = {
    transactionID,
    nodeAccountID: account(3),
    transactionFee: 100,
    transactionValidDuration: { seconds: 120 },
  }
  const body = { ...common, ...(sketch.body ?? { cryptoTransfer: {} }) }
  const bodyBytes = Buffer.concat([encode('proto.TransactionBody', body), sketch.extraBody ?? Buffer.alloc(0)])
  const record = encode('proto.TransactionRecord', {
    transactionID,
    consensusTimestamp: { seconds: sketch.at ?? 2_000 },
    receipt: { status: sketch.status ?? 22, ...sketch.receipt },
    transactionHash: Buffer.alloc(48, 1),
    transactionFee: 70,
    memo: body['memo' as keyof typeof body] ?? '',
    ...(sketch.parent === undefined ? {} : { parentConsensusTimestamp: { seconds: sketch.parent } }),
    ...sketch.record,
  })
  return {
    transaction: encode('proto.Transaction', envelope(sketch.form ?? 'signed', body, bodyBytes)),
    record: Buffer.concat([record, sketch.extraRecord ?? Buffer.alloc(0)]),
  }
}

function envelope(form: NonNullable<ItemSketch['form']>, body: Fields, bodyBytes: Buffer): Fields {
  const sigMap = { sigPair: [{ pubKeyPrefix: Buffer.from('ab', 'hex'), ed25519: Buffer.alloc(64, 9) }] }
  if (form === 'embedded') return { body, sigMap }
  if (form === 'bodyBytes') return { bodyBytes, sigMap }
  return { signedTransactionBytes: encode('proto.SignedTransaction', { bodyBytes, sigMap }) }
}

/**
 * Decodes a block and sends each event through the codec as soon as it is released, so that they look as subscribers see
 * them: what is added to an event later is lost.
 */
export function eventsOf(items: readonly Item[], options: Partial<BlockInput> = {}): TransactionRecorded[] {
  const input = { items, sidecarRecords: [], blockNumber: 7n, keepRawBytes: false, ...options }
  const events: TransactionRecorded[] = []
  for (const event of transactionEvents(input)) {
    events.push(decodeEvent({ type: 'TransactionRecorded', value: encodeEvent('TransactionRecorded', event) }))
  }
  return events
}

export function eventOf(sketch: ItemSketch, options: Partial<BlockInput> = {}): TransactionRecorded {
  return eventsOf([item(sketch)], options)[0]!
}
