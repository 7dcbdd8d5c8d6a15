import { type Fail, FieldReader } from '#src/domain/field-reader.ts'

const scheduledField = 3
const nonceField = 4

/** What a serialized TransactionID says beside payer and valid start. */
export interface TransactionIdFlags {
  /** 0: somebody has submitted it. */
  readonly nonce: number
  readonly scheduled: boolean
}

export function readTransactionId(message: Buffer | undefined, fail: Fail): TransactionIdFlags {
  let nonce = 0
  let scheduled = false
  if (message) {
    const fields = new FieldReader(message, fail)
    while (fields.next()) {
      if (fields.field === nonceField) nonce = fields.int32()
      else if (fields.field === scheduledField) scheduled = fields.int32() !== 0
    }
  }
  return { nonce, scheduled }
}
