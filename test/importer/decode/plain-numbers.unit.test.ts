import type protobuf from 'protobufjs'
import { expect, it } from 'vitest'
import { messageTypes } from '#src/events/decode/messages.ts'
import { eventMessage } from '#src/events/decode/protobuf.ts'
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
import { plainBodies } from '#src/importer/decode/plain-source.ts'

const { transaction, signedTransaction, body, record } = messageTypes()

const numbers: readonly (readonly [protobuf.Type, Readonly<Record<string, number>>])[] = [
  [transaction, signedField],
  [signedTransaction, envelopeField],
  [eventMessage('proto.TransactionID'), idField],
  [eventMessage('proto.Duration'), durationField],
  [eventMessage('proto.TransactionReceipt'), receiptField],
  [eventMessage(plainBodies.consensusSubmitMessage.message), messageField],
  [eventMessage(plainBodies.cryptoTransfer.message), transferField],
  [body, bodyField],
  [record, recordField],
]

it.each(numbers.map(([type, known]) => [type.name, type, known] as const))(
  'the fields of %s have the numbers of its definition',
  (_name, type, known) => {
    expect(known).toEqual(Object.fromEntries(Object.keys(known).map((field) => [field, type.fields[field]?.id])))
  },
)
