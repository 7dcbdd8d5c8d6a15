import { type Fail, FieldReader } from '#src/domain/field-reader.ts'
import type { BlockTransaction } from '#src/importer/block/records/block-transaction.ts'

const nodeField = 2
const nonceField = 4
const scheduledField = 3

/** Whether the receipt has the exchange rates in force: what a user asked for does, what the network did itself does not. */
export function hasRates({ body, isInner }: BlockTransaction, fail: Fail): boolean {
  const { nonce, scheduled } = readTransactionId(body.transactionId, fail)
  if (nonce !== 0) return false
  if (isInner || scheduled) return true
  const fields = new FieldReader(body.bodyBytes, fail)
  while (fields.next()) if (fields.field === nodeField) return true
  return false
}

function readTransactionId(message: Buffer | undefined, fail: Fail): { nonce: number; scheduled: boolean } {
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
