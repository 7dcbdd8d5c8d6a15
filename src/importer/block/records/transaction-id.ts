import { type Fail, FieldReader } from '#src/domain/field-reader.ts'

const nonceField = 4

/** What a serialized TransactionID says beside payer and valid start. */
export interface TransactionIdFlags {
  /** 0: somebody has submitted it. */
  readonly nonce: number
}

export function readTransactionId(message: Buffer | undefined, fail: Fail): TransactionIdFlags {
  let nonce = 0
  if (message) {
    const fields = new FieldReader(message, fail)
    while (fields.next()) if (fields.field === nonceField) nonce = fields.int32()
  }
  return { nonce }
}
