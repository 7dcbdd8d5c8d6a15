import { GrowingBytes } from '#src/runtime/lists/growing-bytes.ts'
import type { ListShape } from '#src/runtime/lists/levels.ts'
import type { NewEntry } from '#src/runtime/lists/open-bucket.ts'
import { recordBytes, recordOffset, writePayload } from '#src/runtime/lists/records.ts'

/** Records of a bucket with some more, in the order of time; what is there already is not added again. */
export function withLate(shape: ListShape, stored: Uint8Array | undefined, entries: readonly NewEntry[]): Uint8Array {
  const size = recordBytes(shape)
  const all = new GrowingBytes((stored?.length ?? 0) + entries.length * size)
  if (stored) all.append(stored, 0, stored.length)
  for (const { kind, high, low, timeHigh, timeLow, payload } of entries) {
    const at = all.extend(size)
    all.view.setUint8(at, kind)
    all.view.setUint32(at + recordOffset.term, high)
    all.view.setUint32(at + recordOffset.term + 4, low)
    all.view.setUint32(at + recordOffset.time, timeHigh)
    all.view.setUint32(at + recordOffset.time + 4, timeLow)
    writePayload(all.view, at + recordOffset.payload, shape.payloadBytes, payload)
  }
  const records = Array.from({ length: all.length / size }, (_, index) =>
    Buffer.from(all.bytes.buffer, index * size, size),
  )
  records.sort((one, other) => compareTimes(one, other) || Buffer.compare(one, other))
  return Buffer.concat(records.filter((record, index) => index === 0 || !record.equals(records[index - 1]!)))
}

function compareTimes(one: Buffer, other: Buffer): number {
  return Buffer.compare(
    one.subarray(recordOffset.time, recordOffset.payload),
    other.subarray(recordOffset.time, recordOffset.payload),
  )
}
