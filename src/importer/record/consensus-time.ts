import { type Fail, FieldReader } from '#src/domain/field-reader.ts'
import type { LedgerTime } from '#src/domain/ledger-time.ts'
import { timestampOf } from '#src/domain/timestamp-message.ts'

const consensusTimestampField = 3

/** The consensus time in a serialized TransactionRecord; undefined when it carries none. */
export function consensusTimeOf(record: Buffer, fail: Fail): LedgerTime | undefined {
  const fields = new FieldReader(record, fail)
  let time: LedgerTime | undefined
  while (fields.next()) {
    if (fields.field === consensusTimestampField) time = timestampOf(fields.message())
  }
  return time
}
