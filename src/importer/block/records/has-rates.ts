import { type Fail, FieldReader } from '#src/domain/field-reader.ts'
import type { BlockTransaction } from '#src/importer/block/records/block-transaction.ts'
import { readTransactionId } from '#src/importer/block/records/transaction-id.ts'

const nodeField = 2

/** Whether the receipt has the exchange rates in force: what a user asked for does, what the network did itself does not. */
export function hasRates({ body, isInner }: BlockTransaction, fail: Fail): boolean {
  const { nonce, scheduled } = readTransactionId(body.transactionId, fail)
  if (nonce !== 0) return false
  if (isInner || scheduled) return true
  const fields = new FieldReader(body.bodyBytes, fail)
  while (fields.next()) if (fields.field === nodeField) return true
  return false
}
