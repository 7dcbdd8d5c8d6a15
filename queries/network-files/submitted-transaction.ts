import { Refusal } from '#queries/common/parameters.ts'
import type { Payload } from '#queries/common/payload.ts'
import type { BodyField } from '#schemas/events/types.ts'
import { asBuffer } from '#src/domain/bytes.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { FieldReader, wireBytes } from '#src/domain/field-reader.ts'
import {
  bodyTypes,
  messageTypes,
  type SignedTransaction,
  type Transaction,
  type TransactionBody,
} from '#src/events/decode/messages.ts'
import { decodeMessage } from '#src/events/decode/protobuf.ts'

/** A transaction as a client would submit it. */
export interface SubmittedTransaction {
  readonly body: TransactionBody
  /** The member that holds what is asked for; undefined where it is of no known kind. */
  readonly field: BodyField | undefined
  readonly signatures: number
  /** Length of the transaction in what is known of its fields. */
  readonly bytes: number
}

/** More than any network takes: 6 KiB, or 130 KiB from those with privileges. */
const transactionBytesMax = 1 << 20

export const transactionPayload: Payload<SubmittedTransaction> = {
  types: ['application/protobuf', 'application/x-protobuf'],
  description: 'A serialized Transaction with signed transaction bytes, or with body bytes and signatures',
  schema: { type: 'string', format: 'binary' },
  bytesMax: transactionBytesMax,
  parse: (bytes) => {
    try {
      return openTransaction(bytes)
    } catch {
      // Whatever the decoder says of such bytes, only that they are no transaction can be answered.
      return new Refusal('Unable to parse transaction')
    }
  },
}

function openTransaction(bytes: Uint8Array): SubmittedTransaction | Refusal {
  const { message: transaction } = decodeMessage<Transaction>(messageTypes().transaction, bytes)
  const { signedTransactionBytes: signed, bodyBytes } = transaction
  const length = knownLength(bytes)
  if (signed.length > 0) {
    const { message } = decodeMessage<SignedTransaction>(messageTypes().signedTransaction, signed)
    return openBody(message, length)
  }
  if (bodyBytes.length === 0) return new Refusal('Transaction must contain body bytes or signed transaction bytes')
  return openBody(transaction, length)
}

function openBody({ bodyBytes, sigMap }: Pick<SignedTransaction, 'bodyBytes' | 'sigMap'>, bytes: number) {
  const { message: body } = decodeMessage<TransactionBody>(messageTypes().body, bodyBytes)
  // The decoder sets what is there, and of several kinds the last one counts.
  const field = Object.keys(body).findLast((name): name is BodyField => bodyTypes().has(name))
  return { body, field, signatures: sigMap?.sigPair.length ?? 0, bytes }
}

const bodyBytesField = 4
const signedBytesField = 5

/** Length of a Transaction that is encoded anew, so without unknown fields and without empty bytes. */
function knownLength(bytes: Uint8Array): number {
  const fields = new FieldReader(asBuffer(bytes), (reason) => new LedgerError('file_malformed', reason))
  const lengths = new Map<number, number>()
  while (fields.next()) {
    if (fields.field > signedBytesField || fields.wire !== wireBytes) continue
    const isMessage = fields.field < bodyBytesField
    const before = isMessage ? (lengths.get(fields.field) ?? 0) : 0
    lengths.set(fields.field, before + fields.bytes().length)
  }
  const encoded = [...lengths].filter(([field, length]) => field < bodyBytesField || length > 0)
  return encoded.reduce((sum, [, length]) => sum + 1 + varintLength(length) + length, 0)
}

function varintLength(value: number): number {
  return value < 128 ? 1 : 1 + varintLength(Math.floor(value / 128))
}
