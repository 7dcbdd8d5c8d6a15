import { transactionType } from '#src/domain/transaction-types.ts'
import { messageTypes } from '#src/events/decode/messages.ts'
import { eventMessage } from '#src/events/decode/protobuf.ts'
import { notPlain, numberAt, skipBytes, startOf } from '#src/events/transcode/wire-values.ts'
import type { BlockInput } from '#src/importer/decode/block-input.ts'
import type { TransactionHead } from '#src/importer/decode/family.ts'
import { PlainFields } from '#src/importer/decode/plain-fields.ts'
import {
  bodyField,
  durationField,
  envelopeField,
  idField,
  messageField,
  receiptField,
  recordField,
  signedField,
  transferField,
} from '#src/importer/decode/plain-numbers.ts'
import { assertNoApproval, assertNoTokenApproval, idIn, timeIn } from '#src/importer/decode/plain-values.ts'

/** The kinds of transactions that most are of: field number in the body, which is also the type, and message. */
export const plainBodies = {
  cryptoTransfer: { id: transactionType.cryptoTransfer, message: 'proto.CryptoTransferTransactionBody' },
  consensusSubmitMessage: {
    id: transactionType.topicMessage,
    message: 'proto.ConsensusSubmitMessageTransactionBody',
  },
} as const

const { cryptoTransfer, consensusSubmitMessage } = plainBodies

/** Fields of the record that say nothing which takes more than the record itself and the transaction. */
const recordFields = [
  ...Object.keys(recordField),
  'automaticTokenAssociations',
  'alias',
  'ethereumHash',
  'prngBytes',
  'prngNumber',
  'evmAddress',
]
const receiptFields = [
  'status',
  'exchangeRate',
  'topicSequenceNumber',
  'topicRunningHash',
  'topicRunningHashVersion',
  'scheduleID',
  'scheduledTransactionID',
]
const bodyFields = [...Object.keys(bodyField), ...Object.keys(plainBodies)]

/** Where the parts of a transaction and its record lie, and what of them the others of a block need. */
export class PlainSource implements TransactionHead {
  readonly signed = new PlainFields(messageTypes().transaction, Object.keys(signedField))
  readonly envelope = new PlainFields(messageTypes().signedTransaction, Object.keys(envelopeField))
  readonly body = new PlainFields(messageTypes().body, bodyFields)
  readonly id = new PlainFields(eventMessage('proto.TransactionID'), Object.keys(idField))
  readonly duration = new PlainFields(eventMessage('proto.Duration'), Object.keys(durationField))
  readonly record = new PlainFields(messageTypes().record, recordFields)
  readonly #transfer = new PlainFields(eventMessage(cryptoTransfer.message), Object.keys(transferField))
  readonly #message = new PlainFields(eventMessage(consensusSubmitMessage.message), ['topicID', 'message', 'chunkInfo'])
  readonly #receipt = new PlainFields(eventMessage('proto.TransactionReceipt'), receiptFields)
  #after = 0n
  blockNumber: bigint | undefined
  keepRawBytes = false
  transactionIndex = 0
  consensusTimestamp = 0n
  parentConsensusTimestamp: bigint | null = null
  validStartTimestamp = 0n
  nonce = 0
  type = 0
  result = 0
  successful: boolean | null = false
  /** 0: none. */
  entity = 0

  /** Goes to a block, of which it reads no transaction up to the time `after`. */
  open({ blockNumber, keepRawBytes }: BlockInput, after: bigint): void {
    this.#after = after
    this.blockNumber = blockNumber
    this.keepRawBytes = keepRawBytes
  }

  /** Throws `notPlain` where the general way has to be taken. */
  read(transaction: Buffer, record: Buffer, index: number): void {
    this.transactionIndex = index
    this.record.find(record, 0, record.length)
    this.signed.find(transaction, 0, transaction.length)
    this.envelope.findIn(this.signed, signedField.signedTransactionBytes)
    this.body.findIn(this.envelope, envelopeField.bodyBytes)
    this.id.findIn(this.body, bodyField.transactionID)
    this.duration.findIn(this.body, bodyField.transactionValidDuration)
    this.#receipt.findIn(this.record, recordField.receipt)
    this.#readHead()
    this.#readKind()
    if (this.record.places[recordField.transactionID] !== 0)
      assertSame(this.record, recordField.transactionID, this.body, bodyField.transactionID)
    assertSame(this.record, recordField.memo, this.body, bodyField.memo)
  }

  #readHead(): void {
    const { body, record, id } = this
    const consensusTimestamp = timeIn(record, recordField.consensusTimestamp)
    const validStartTimestamp = timeIn(id, idField.transactionValidStart)
    if (
      consensusTimestamp === undefined ||
      validStartTimestamp === undefined ||
      body.places[bodyField.transactionID] === 0
    )
      throw notPlain
    if (consensusTimestamp <= this.#after) throw notPlain
    this.consensusTimestamp = consensusTimestamp
    this.parentConsensusTimestamp = timeIn(record, recordField.parentConsensusTimestamp) ?? null
    this.validStartTimestamp = validStartTimestamp
    this.nonce = numberIn(id, idField.nonce)
    this.result = numberIn(this.#receipt, receiptField.status)
  }

  #readKind(): void {
    const { body } = this
    const isTransfer = body.places[cryptoTransfer.id] !== 0
    if (isTransfer === (body.places[consensusSubmitMessage.id] !== 0)) throw notPlain
    this.entity = 0
    this.type = isTransfer ? cryptoTransfer.id : consensusSubmitMessage.id
    if (isTransfer) {
      this.#transfer.findIn(body, cryptoTransfer.id)
      const { places } = this.#transfer
      const [transfers, tokenTransfers] = [places[transferField.transfers], places[transferField.tokenTransfers]]
      if (transfers !== 0) assertNoApproval(body.bytes, transfers!)
      const end = skipBytes(body.bytes, body.places[cryptoTransfer.id]!)
      if (tokenTransfers !== 0) assertNoTokenApproval(body.bytes, tokenTransfers!, end)
    } else {
      this.#message.findIn(body, consensusSubmitMessage.id)
      this.entity = idIn(this.#message, messageField.topicID)
    }
  }
}

const int32Max = 0x7fff_ffff

function numberIn({ bytes, places }: PlainFields, id: number): number {
  const place = places[id]!
  const number = place === 0 ? 0 : numberAt(bytes, place)
  if (number > int32Max) throw notPlain
  return number
}

/** Body and record have to repeat each other; an absent field is as good as an empty one. */
function assertSame(record: PlainFields, recordId: number, body: PlainFields, bodyId: number): void {
  const [start, bodyStart] = [startIn(record, recordId), startIn(body, bodyId)]
  const length = endIn(record, recordId) - start
  if (length !== endIn(body, bodyId) - bodyStart) throw notPlain
  for (let index = 0; index < length; index++) {
    if (record.bytes[start + index] !== body.bytes[bodyStart + index]) throw notPlain
  }
}

function startIn({ bytes, places }: PlainFields, id: number): number {
  return places[id] === 0 ? 0 : startOf(bytes, places[id]!)
}

function endIn({ bytes, places }: PlainFields, id: number): number {
  return places[id] === 0 ? 0 : skipBytes(bytes, places[id]!)
}
