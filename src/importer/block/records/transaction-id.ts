import { type Fail, FieldReader } from '#src/domain/field-reader.ts'
import { timestampOf } from '#src/domain/timestamp-message.ts'
import { idText, readId } from '#src/importer/block/records/ids.ts'

const startField = 1
const payerField = 2
const scheduledField = 3
const nonceField = 4

/** What a serialized TransactionID says beside payer and valid start. */
export interface TransactionIdFlags {
  /** 0: somebody has submitted it. */
  readonly nonce: number
  /** A schedule had it executed. */
  readonly scheduled: boolean
}

export function readTransactionId(message: Buffer | undefined, fail: Fail): TransactionIdFlags {
  let nonce = 0
  let scheduled = false
  if (message) {
    const fields = new FieldReader(message, fail)
    while (fields.next()) {
      if (fields.field === scheduledField) scheduled = fields.int32() !== 0
      else if (fields.field === nonceField) nonce = fields.int32()
    }
  }
  return { nonce, scheduled }
}

/**
 * Payer and valid start, as a key: what the network does for somebody's transaction has an id that differs from that one's in its nonce
 * alone. Undefined where there is none of both.
 */
export function payerAndStart(message: Buffer | undefined, fail: Fail): string | undefined {
  if (message === undefined) return undefined
  const fields = new FieldReader(message, fail)
  let start: bigint | undefined
  let payer: string | undefined
  while (fields.next()) {
    if (fields.field === startField) start = timestampOf(fields.message())
    else if (fields.field === payerField) payer = idText(readId(fields.bytes(), fail)!)
  }
  return start === undefined || payer === undefined ? undefined : `${payer}@${start}`
}

/** Whether somebody has said from when on it may be executed: what nodes only tell each other says nothing of it. */
export function hasValidStart(message: Buffer | undefined, fail: Fail): boolean {
  if (message === undefined) return false
  const fields = new FieldReader(message, fail)
  let start = 0n
  while (fields.next()) if (fields.field === startField) start = timestampOf(fields.message())
  return start !== 0n
}
