import { asBuffer } from '#src/domain/bytes.ts'
import type { Fail } from '#src/domain/field-reader.ts'
import type { LedgerTime } from '#src/domain/ledger-time.ts'
import type { ByteReader } from '#src/importer/record/byte-reader.ts'
import { consensusTimeOf } from '#src/importer/record/consensus-time.ts'
import type { RecordItem } from '#src/importer/record/record-file.ts'

const partBytesMax = 65_536

/** A length and that many bytes; formats 1, 2 and 5 limit them to 1 to 65,536. */
export function boundedSlice(reader: ByteReader, what: string, fail: Fail): Buffer {
  const length = reader.int32(`the length of ${what}`)
  if (length < 1 || length > partBytesMax) {
    throw fail(`the length ${length} of ${what} at byte ${reader.offset - 4} is not within 1 to ${partBytesMax}`)
  }
  return reader.slice(length, what)
}

/** Consensus time of the first and the last item, which are the least and the greatest in all but a few files; the instant of the file's name when there is none. */
export function timesOf(items: readonly RecordItem[], instant: LedgerTime, fail: Fail): [LedgerTime, LedgerTime] {
  const first = items[0]
  const last = items[items.length - 1]
  if (first === undefined || last === undefined) return [instant, instant]
  return [timeOf(first, fail), timeOf(last, fail)]
}

/** Its consensus time. */
export function timeOf({ record }: { readonly record: Uint8Array }, fail: Fail): LedgerTime {
  const time = consensusTimeOf(asBuffer(record), fail)
  if (time === undefined) throw fail('a transaction record has no consensus time')
  return time
}
