import type { FieldReader } from '#src/domain/field-reader.ts'
import { type LedgerTime, saturatingLedgerTime } from '#src/domain/ledger-time.ts'

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
