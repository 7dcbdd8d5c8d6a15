import type { BodyField, SignaturePair } from '#schemas/events/types.ts'
import {
  bodyTypes,
  messageTypes,
  type SignedTransaction,
  type Transaction,
  type TransactionBody,
} from '#src/events/decode/messages.ts'
import { decodeMessage } from '#src/events/decode/protobuf.ts'
import { scanFields } from '#src/importer/decode/wire.ts'

/** A transaction taken apart, as far as it can be. */
export interface ExtractedBody {
  /** Undefined when the bytes hold no readable body. */
  readonly body: TransactionBody | undefined
  /** Field number of the body's kind, known or not; 0 when there is none, or more than one candidate. */
  readonly type: number
  /** The member that holds the body of a known type. */
  readonly field: BodyField | undefined
  readonly signatures: SignaturePair[]
  /** What of the bytes is not in this object; empty when nothing is. */
  readonly losses: readonly string[]
}

interface Envelope {
  readonly bodyBytes: Buffer | undefined
  readonly embedded: TransactionBody | undefined
  readonly signatures: SignaturePair[]
}

/** Never throws: what cannot be read shows in `losses`. */
export function extractBody(transactionBytes: Uint8Array): ExtractedBody {
  const losses: string[] = []
  let bodyBytes: Buffer | undefined
  try {
    const envelope = openEnvelope(transactionBytes, losses)
    bodyBytes = envelope.bodyBytes
    const body = envelope.embedded ?? decodeBody(envelope.bodyBytes, losses)
    return {
      body,
      ...kindOf(body, bodyBytes ?? embeddedBytes(transactionBytes), losses),
      signatures: envelope.signatures,
      losses,
    }
  } catch (error) {
    losses.push(`unreadable transaction: ${(error as Error).message}`)
    const type = bodyBytes === undefined ? 0 : (onlyBodyNumber(bodyBytes) ?? 0)
    return { body: undefined, type, field: undefined, signatures: [], losses }
  }
}

/** The three forms of history: signed bytes, body bytes with outer signatures, embedded body with outer signatures. */
function openEnvelope(transactionBytes: Uint8Array, losses: string[]): Envelope {
  const { message: transaction, unknown } = decodeMessage<Transaction>(messageTypes().transaction, transactionBytes)
  if (unknown) losses.push('unknown fields in the transaction')
  if (transaction.sigs !== null && transaction.sigs.sigs.length > 0) losses.push('signature list of the first release')
  const outer = transaction.sigMap?.sigPair ?? []
  if (transaction.signedTransactionBytes.length > 0) {
    if (transaction.bodyBytes.length > 0 || transaction.body || outer.length > 0)
      losses.push('two forms of the body in one transaction')
    return openSigned(transaction.signedTransactionBytes, losses)
  }
  if (transaction.bodyBytes.length > 0) {
    if (transaction.body) losses.push('two forms of the body in one transaction')
    return { bodyBytes: transaction.bodyBytes, embedded: undefined, signatures: outer }
  }
  return { bodyBytes: undefined, embedded: transaction.body ?? undefined, signatures: outer }
}

function openSigned(bytes: Buffer, losses: string[]): Envelope {
  const { message: signed, unknown } = decodeMessage<SignedTransaction>(messageTypes().signedTransaction, bytes)
  if (unknown) losses.push('unknown fields in the signed transaction')
  if (signed.useSerializedTxMessageHashAlgorithm) losses.push('hash algorithm of serialized messages')
  return { bodyBytes: signed.bodyBytes, embedded: undefined, signatures: signed.sigMap?.sigPair ?? [] }
}

function decodeBody(bytes: Buffer | undefined, losses: string[]): TransactionBody | undefined {
  if (bytes === undefined) {
    losses.push('no transaction body')
    return undefined
  }
  const { message, unknown } = decodeMessage<TransactionBody>(messageTypes().body, bytes)
  if (unknown) losses.push('unknown fields in the transaction body')
  return message
}

/**
 * Type and member of a body. The decoder leaves out what is absent, so the members that are there are few. Of several
 * the last one counts, as everywhere in protobuf.
 */
function kindOf(
  body: TransactionBody | undefined,
  bytes: Buffer | undefined,
  losses: string[],
): { type: number; field: BodyField | undefined } {
  let field: BodyField | undefined
  for (const name of Object.keys(body ?? {})) {
    if (!bodyTypes().has(name)) continue
    if (field) losses.push(`two bodies in one transaction, ${field} and ${name}`)
    field = name as BodyField
  }
  if (field) return { type: bodyTypes().get(field)!, field }
  if (body && losses.length === 0) losses.push('no kind of body set')
  return { type: (bytes && onlyBodyNumber(bytes)) ?? 0, field: undefined }
}

const transactionBodyField = 1

/** The bytes of a body embedded in the outer message. */
function embeddedBytes(transactionBytes: Uint8Array): Buffer | undefined {
  return scanFields(transactionBytes)?.find((field) => field.number === transactionBodyField)?.value
}

/** The one field number in a serialized body that no definition knows, or that a body unreadable for us carries. */
function onlyBodyNumber(bytes: Buffer): number | undefined {
  const common = commonFieldNumbers()
  const numbers = new Set(
    scanFields(bytes)
      ?.map((field) => field.number)
      .filter((number) => !common.has(number)),
  )
  return numbers.size === 1 ? [...numbers][0] : undefined
}

/** Numbers of the fields of TransactionBody outside of the body proper. */
function commonFieldNumbers(): ReadonlySet<number> {
  commonNumbers ??= new Set(
    messageTypes()
      .body.fieldsArray.filter((field) => !bodyTypes().has(field.name))
      .map((field) => field.id),
  )
  return commonNumbers
}

let commonNumbers: ReadonlySet<number> | undefined
