import { decompress } from '#src/adapters/kafka/compression.ts'
import { crc32c } from '#src/adapters/kafka/crc32c.ts'
import { type FetchedRecord, readRecord, readVarint } from '#src/adapters/kafka/fetched-record.ts'

export interface AbortedTransaction {
  readonly producerId: bigint
  readonly firstOffset: number
}

export interface DecodedBatch {
  /** Committed records at or after the offset asked for; none where the batch is a marker or was aborted. */
  readonly records: readonly FetchedRecord[]
  /** Behind the batch. */
  readonly nextOffset: number
  /** Id and epoch of the producer that wrote it: whoever takes the right to write gets a pair of their own. */
  readonly producer: string
}

/** Why a batch cannot be read; the caller knows the topic. */
export class BatchDamaged extends Error {}

const headerBytes = 61
const transactional = 0x10
const control = 0x20
const codecMask = 0x07

/**
 * Decodes what a fetch returned: whole record batches, perhaps a torn one at the end. Leaves out markers, records of aborted
 * transactions, and records before `fromOffset`, which a batch may begin with. One batch at a time, since compressed ones
 * may grow twentyfold.
 */
export function* decodeBatches(
  data: Buffer,
  fromOffset: number,
  abortedTransactions: readonly AbortedTransaction[],
): Generator<DecodedBatch, void, undefined> {
  // The broker lists them by their ends.
  const aborted = [...abortedTransactions].sort((a, b) => a.firstOffset - b.firstOffset)
  const abortedNow = new Set<bigint>()
  for (let at = 0; at + headerBytes <= data.length; ) {
    const end = at + 12 + data.readInt32BE(at + 8)
    if (end > data.length) break
    const batch = data.subarray(at, end)
    at = end
    const baseOffset = Number(batch.readBigInt64BE(0))
    const lastOffset = baseOffset + batch.readInt32BE(23)
    checkBatch(batch, baseOffset)
    const attributes = batch.readInt16BE(21)
    const producerId = batch.readBigInt64BE(43)
    const producer = `${producerId}.${batch.readInt16BE(51)}`
    for (let next = aborted[0]; next && next.firstOffset <= lastOffset; next = aborted[0]) {
      abortedNow.add(next.producerId)
      aborted.shift()
    }
    const leftOut = attributes & control || (attributes & transactional && abortedNow.has(producerId))
    if (attributes & control) abortedNow.delete(producerId)
    if (lastOffset < fromOffset) continue
    yield { records: leftOut ? [] : decodeRecords(batch, baseOffset, fromOffset), nextOffset: lastOffset + 1, producer }
  }
}

/** Behind the last whole batch, without decoding any. */
export function endOffsetOf(data: Buffer, fromOffset: number): number {
  let offset = fromOffset
  for (let at = 0; at + headerBytes <= data.length; ) {
    const end = at + 12 + data.readInt32BE(at + 8)
    if (end > data.length) break
    offset = Math.max(offset, Number(data.readBigInt64BE(at)) + data.readInt32BE(at + 23) + 1)
    at = end
  }
  return offset
}

function checkBatch(batch: Buffer, baseOffset: number): void {
  if (batch[16] !== 2) throw new BatchDamaged(`the batch at offset ${baseOffset} has format ${batch[16]} instead of 2`)
  if (crc32c(batch.subarray(21)) !== batch.readUInt32BE(17))
    throw new BatchDamaged(`the batch at offset ${baseOffset} does not have the checksum that it was written with`)
}

function decodeRecords(batch: Buffer, baseOffset: number, fromOffset: number): FetchedRecord[] {
  const codec = batch.readInt16BE(21) & codecMask
  const data = decompress(batch.subarray(headerBytes), codec)
  if (!data)
    throw new BatchDamaged(`the batch at offset ${baseOffset} is compressed by codec ${codec}, which is none of ours`)
  const count = batch.readInt32BE(57)
  const records: FetchedRecord[] = []
  const cursor = { data, at: 0 }
  for (let index = 0; index < count; index++) {
    const length = readVarint(cursor)
    const end = cursor.at + length
    const record = readRecord(cursor, baseOffset)
    if (record.offset >= fromOffset) records.push(record)
    cursor.at = end
  }
  return records
}
