import { codecNumbers, compress } from '#src/adapters/kafka/compression.ts'
import { crc32c } from '#src/adapters/kafka/crc32c.ts'
import type { KafkaCompression } from '#src/adapters/kafka/options.ts'

/** One record as it goes into a batch. */
export interface WireRecord {
  readonly key: Uint8Array
  readonly value: Uint8Array
  /** Message time in milliseconds. */
  readonly timeMs: number
  readonly headers: readonly WireHeader[]
}

/** `name` in ASCII, `text` in any characters. */
export type WireHeader = readonly [name: string, text: string]

export interface BatchProducer {
  readonly producerId: bigint
  readonly producerEpoch: number
  /** Number of the batch's first record among those that this producer sent, modulo 2^31. */
  readonly firstSequence: number
  readonly compression: KafkaCompression
}

const headerBytes = 61
const crcFrom = 21
/** Lengths, deltas and header lengths of a record, at most. */
const recordOverheadBytes = 40
const headerOverheadBytes = 6
const transactional = 16

/** An upper bound of what a record adds to a batch before compression. */
export function recordBytesMax(record: WireRecord): number {
  let bytes = recordOverheadBytes + record.key.length + record.value.length
  for (const [name, text] of record.headers) bytes += headerOverheadBytes + name.length + 3 * text.length
  return bytes
}

/**
 * Builds transactional record batches of format 2. kafkajs has an encoder of its own, which is some ten times slower,
 * takes the message time 0 for "now", and sorts message times as texts.
 */
export class BatchWriter {
  #buffer: Buffer
  #length = headerBytes
  #count = 0
  #firstTimeMs = 0
  #lastTimeMs = 0

  constructor(bytes: number) {
    this.#buffer = Buffer.allocUnsafe(bytes + headerBytes)
  }

  get count(): number {
    return this.#count
  }

  /** Bytes of the records so far, before compression. */
  get bytes(): number {
    return this.#length - headerBytes
  }

  add(record: WireRecord): void {
    if (this.#count === 0) this.#firstTimeMs = this.#lastTimeMs = record.timeMs
    this.#lastTimeMs = Math.max(this.#lastTimeMs, record.timeMs)
    this.#makeRoom(recordBytesMax(record))
    const start = this.#length
    // The record's length comes first and is known last: room for its longest form is left, and closed afterwards.
    this.#length += 5
    this.#buffer[this.#length++] = 0
    this.#varint(record.timeMs - this.#firstTimeMs)
    this.#varint(this.#count)
    this.#bytes(record.key)
    this.#bytes(record.value)
    this.#varint(record.headers.length)
    for (const [name, text] of record.headers) {
      this.#varint(name.length)
      this.#length += this.#buffer.write(name, this.#length, 'latin1')
      this.#text(text)
    }
    const bodyStart = start + 5
    const end = this.#length
    this.#length = start
    this.#varint(end - bodyStart)
    this.#buffer.copyWithin(this.#length, bodyStart, end)
    this.#length += end - bodyStart
    this.#count++
  }

  /** The batch as it goes to the broker; the writer is empty again then. */
  finish({ producerId, producerEpoch, firstSequence, compression }: BatchProducer): Buffer {
    const records = compress(this.#buffer.subarray(headerBytes, this.#length), compression)
    const batch = Buffer.allocUnsafe(headerBytes + records.length)
    batch.writeBigInt64BE(0n, 0)
    batch.writeInt32BE(batch.length - 12, 8)
    batch.writeInt32BE(-1, 12)
    batch[16] = 2
    batch.writeInt16BE(codecNumbers[compression] | transactional, 21)
    batch.writeInt32BE(this.#count - 1, 23)
    batch.writeBigInt64BE(BigInt(this.#firstTimeMs), 27)
    batch.writeBigInt64BE(BigInt(this.#lastTimeMs), 35)
    batch.writeBigInt64BE(producerId, 43)
    batch.writeInt16BE(producerEpoch, 51)
    batch.writeInt32BE(firstSequence, 53)
    batch.writeInt32BE(this.#count, 57)
    batch.set(records, headerBytes)
    batch.writeUInt32BE(crc32c(batch.subarray(crcFrom)), 17)
    this.#length = headerBytes
    this.#count = 0
    return batch
  }

  #makeRoom(bytes: number): void {
    if (this.#length + bytes <= this.#buffer.length) return
    const larger = Buffer.allocUnsafe(Math.max(2 * this.#buffer.length, this.#length + bytes))
    this.#buffer.copy(larger, 0, 0, this.#length)
    this.#buffer = larger
  }

  /** Zigzag, then seven bits a byte. Plain numbers, since times in milliseconds exceed 32 bits. */
  #varint(value: number): void {
    let rest = value < 0 ? -2 * value - 1 : 2 * value
    while (rest >= 0x80) {
      this.#buffer[this.#length++] = (rest % 0x80) | 0x80
      rest = Math.floor(rest / 0x80)
    }
    this.#buffer[this.#length++] = rest
  }

  #bytes(data: Uint8Array): void {
    this.#varint(data.length)
    this.#buffer.set(data, this.#length)
    this.#length += data.length
  }

  #text(text: string): void {
    this.#varint(Buffer.byteLength(text))
    this.#length += this.#buffer.write(text, this.#length)
  }
}
