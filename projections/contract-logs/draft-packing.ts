import type { DraftKind, DraftLog, Topics } from '#projections/contract-logs/draft-log.ts'
import { asBuffer } from '#src/domain/bytes.ts'

const absent = 0xff
/** Kind, contract, and the lengths of data and bloom. */
const headBytes = 1 + 8 + 4 + 2

/**
 * Each draft: kind, contract int64, length of data uint32, of the bloom uint16 (65,535 without one), four topics behind their
 * lengths in a byte (255 without one), data, bloom.
 */
export function encodeDrafts(drafts: readonly DraftLog[]): Buffer {
  const bytes = Buffer.allocUnsafe(drafts.reduce((sum, draft) => sum + sizeOf(draft), 0))
  let at = 0
  for (const { kind, contractId, topics, data, bloom } of drafts) {
    at = bytes.writeUInt8(kind, at)
    at = bytes.writeBigInt64BE(contractId, at)
    at = bytes.writeUInt32BE(data.length, at)
    at = bytes.writeUInt16BE(bloom?.length ?? 0xffff, at)
    for (const topic of topics) {
      at = bytes.writeUInt8(topic?.length ?? absent, at)
      if (topic) at = put(bytes, topic, at)
    }
    at = put(bytes, data, at)
    if (bloom) at = put(bytes, bloom, at)
  }
  return bytes
}

function sizeOf({ topics, data, bloom }: DraftLog): number {
  const topicBytes = topics.reduce((sum, topic) => sum + 1 + (topic?.length ?? 0), 0)
  return headBytes + topicBytes + data.length + (bloom?.length ?? 0)
}

function put(target: Buffer, bytes: Uint8Array, at: number): number {
  target.set(bytes, at)
  return at + bytes.length
}

export function decodeDrafts(packed: Uint8Array): DraftLog[] {
  const bytes = asBuffer(packed)
  const drafts: DraftLog[] = []
  let at = 0
  const take = (length: number) => {
    at += length
    return bytes.subarray(at - length, at)
  }
  const takeTopic = () => {
    const length = bytes.readUInt8(at)
    at += 1
    return length === absent ? null : take(length)
  }
  while (at < bytes.length) {
    const kind = bytes.readUInt8(at) as DraftKind
    const contractId = bytes.readBigInt64BE(at + 1)
    const dataBytes = bytes.readUInt32BE(at + 9)
    const bloomLength = bytes.readUInt16BE(at + 13)
    at += headBytes
    const topics: Topics = [takeTopic(), takeTopic(), takeTopic(), takeTopic()]
    const data = take(dataBytes)
    drafts.push({ kind, contractId, topics, data, bloom: bloomLength === 0xffff ? null : take(bloomLength) })
  }
  return drafts
}
