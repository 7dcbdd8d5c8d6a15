import { type Fail, FieldReader } from '#src/domain/field-reader.ts'
import type { BlockTransaction } from '#src/importer/block/records/block-transaction.ts'

/** Fields of a TransactionOutput. */
export const output = {
  prng: 1,
  contractCall: 2,
  ethereum: 3,
  contractCreate: 4,
  scheduleCreate: 5,
  scheduleSign: 6,
  accountCreate: 7,
} as const

/** The serialized output of a kind; undefined where the transaction has none of it. */
export function outputOf({ outputs }: BlockTransaction, kind: number, fail: Fail): Buffer | undefined {
  for (const message of outputs) {
    const fields = new FieldReader(message, fail)
    while (fields.next()) if (fields.field === kind) return fields.bytes()
  }
  return undefined
}
