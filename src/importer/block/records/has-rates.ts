import type { Fail } from '#src/domain/field-reader.ts'
import type { BlockTransaction } from '#src/importer/block/records/block-transaction.ts'
import { readTransactionId } from '#src/importer/block/records/transaction-id.ts'

/** Whether the receipt has the exchange rates in force: what a user asked for does, what the network did itself does not. */
export function hasRates({ body, isInner }: BlockTransaction, fail: Fail): boolean {
  const { nonce, scheduled } = readTransactionId(body.transactionId, fail)
  if (nonce !== 0) return false
  return isInner || scheduled || body.hasNode
}
