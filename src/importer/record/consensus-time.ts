import { type Fail, FieldReader } from '#src/domain/field-reader.ts'
import type { LedgerTime } from '#src/domain/ledger-time.ts'
import { saturatingLedgerTime } from '#src/domain/ledger-time.ts'

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

/** A protobuf Timestamp in nanoseconds. */
export function timestampOf(fields: FieldReader): LedgerTime {
  let seconds = 0n
  let nanos = 0
  while (fields.next()) {
    if (fields.field === 1) seconds = fields.int64()
    else if (fields.field === 2) nanos = fields.int32()
  }
  return saturatingLedgerTime(seconds, nanos)
}
