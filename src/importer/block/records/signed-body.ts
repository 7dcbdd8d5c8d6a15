import { type Fail, FieldReader } from '#src/domain/field-reader.ts'
import { bodyTypes } from '#src/events/decode/messages.ts'

/** What a record repeats of a signed transaction, and the body proper, as serialized values. */
export interface SignedBody {
  /** Field number of the kind of body; 0 where it is none that is known, or was redacted. */
  readonly type: number
  /** The body proper. */
  readonly content: Buffer
  /** Serialized TransactionID; undefined where there is none. */
  readonly transactionId: Buffer | undefined
  readonly memo: Buffer
  /** It names the node that it was submitted to. */
  readonly hasNode: boolean
  /** The network made it from a Transaction with body and signatures side by side, whose hash is that of this message. */
  readonly wasUnsigned: boolean
}

const empty = Buffer.alloc(0)
const redacted: SignedBody = {
  type: 0,
  content: empty,
  transactionId: undefined,
  memo: empty,
  hasNode: false,
  wasUnsigned: false,
}

/** Undefined bytes: of a transaction that was redacted. What is no message is refused: no network executes that. */
export function readSignedBody(signed: Buffer | undefined, fail: Fail): SignedBody {
  if (signed === undefined) return redacted
  const envelope = new FieldReader(signed, fail)
  let fields: FieldReader | undefined
  let wasUnsigned = false
  while (envelope.next()) {
    if (envelope.field === 1) fields = envelope.message()
    else if (envelope.field === 3) wasUnsigned = envelope.int32() !== 0
  }
  let type = 0
  let content = empty as Buffer
  let transactionId: Buffer | undefined
  let memo = empty as Buffer
  let hasNode = false
  while (fields?.next()) {
    if (fields.field === 1) transactionId = fields.bytes()
    else if (fields.field === 2) hasNode = true
    else if (fields.field === 6) memo = fields.bytes()
    else if (isKind(fields.field)) {
      type = fields.field
      content = fields.bytes()
    }
  }
  return { type, content, transactionId, memo, hasNode, wasUnsigned }
}

let kinds: ReadonlySet<number> | undefined

function isKind(field: number): boolean {
  kinds ??= new Set(bodyTypes().values())
  return kinds.has(field)
}
