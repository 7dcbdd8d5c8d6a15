import { asBuffer } from '#src/domain/bytes.ts'
import { eventTypes } from '#src/events/event-types.ts'
import type { LogRecord, StoredRecord } from '#src/ports/message-log.ts'

/**
 * Events of one append lie packed in chunk rows, since a row per event would cost more than the event. Per event:
 * type u8 (its place in eventTypes, which only ever grows at the end), key length u8, key, time int64, value length u32,
 * value; big-endian.
 */
const headBytes = 2
const tailBytes = 12

/** A chunk row is closed once it holds this much. */
const chunkBytesMax = 256 << 10

const typeCodes = new Map(eventTypes.map((type, code) => [type as string, code]))

function packedBytes(record: LogRecord): number {
  return headBytes + Buffer.byteLength(record.key) + tailBytes + record.value.byteLength
}

function packRecords(records: readonly LogRecord[]): Buffer {
  let size = 0
  for (const record of records) size += packedBytes(record)
  const target = Buffer.allocUnsafe(size)
  let offset = 0
  for (const record of records) offset = packRecord(target, offset, record)
  return target
}

function packRecord(target: Buffer, start: number, record: LogRecord): number {
  const code = typeCodes.get(record.type)
  if (code === undefined) throw new Error(`no code for event type ${record.type}`)
  let offset = target.writeUInt8(code, start)
  const keyBytes = target.write(record.key, offset + 1)
  if (keyBytes > 255) throw new Error(`event key of ${keyBytes} bytes is longer than 255: ${record.key}`)
  target.writeUInt8(keyBytes, offset)
  offset = target.writeBigInt64BE(record.time, offset + 1 + keyBytes)
  offset = target.writeUInt32BE(record.value.byteLength, offset)
  target.set(record.value, offset)
  return offset + record.value.byteLength
}

/** Unpacks a chunk whose first event has sequence `first`, leaving out those up to `after`; values are slices of `chunk`. */
export function unpackRecords(chunk: Uint8Array, first: number, after: number, into: StoredRecord[]): void {
  const source = asBuffer(chunk)
  let offset = 0
  for (let sequence = first; offset < source.length; sequence++) {
    const keyStart = offset + headBytes
    const keyEnd = keyStart + source.readUInt8(offset + 1)
    const valueStart = keyEnd + tailBytes
    const valueEnd = valueStart + source.readUInt32BE(keyEnd + 8)
    if (sequence > after) {
      const type = eventTypes[source.readUInt8(offset)]
      if (type === undefined)
        throw new Error(`unknown event type code ${source.readUInt8(offset)} at sequence ${sequence}`)
      into.push({
        sequence,
        type,
        key: source.toString('utf8', keyStart, keyEnd),
        time: source.readBigInt64BE(keyEnd),
        value: source.subarray(valueStart, valueEnd),
      })
    }
    offset = valueEnd
  }
}

/** Splits the events of one append into chunk rows. */
export function* chunksOf(records: readonly LogRecord[]): Generator<{ count: number; lastTime: bigint; data: Buffer }> {
  let start = 0
  let bytes = 0
  for (let index = 0; index < records.length; index++) {
    bytes += packedBytes(records[index]!)
    if (bytes >= chunkBytesMax || index === records.length - 1) {
      const slice = records.slice(start, index + 1)
      yield { count: slice.length, lastTime: slice[slice.length - 1]!.time, data: packRecords(slice) }
      start = index + 1
      bytes = 0
    }
  }
}
