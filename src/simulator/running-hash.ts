import { hashLength, type Item, sha384 } from '#src/simulator/record-file.ts'

const itemClassId = 0xe370929ba5429d8bn
const hashClassId = 0xf422da83a251741en
const hashHeaderLength = 12
const secondHash = hashHeaderLength + hashLength

const itemHeader = Buffer.alloc(12)
itemHeader.writeBigUInt64BE(itemClassId)
itemHeader.writeInt32BE(1, 8)

/** A start value for a chain without predecessor: 48 zero bytes, which a reader takes as "nothing to check against". */
export const firstRunningHash: Uint8Array = new Uint8Array(hashLength)

/** Continues a running hash over items, in order. The item header is big-endian, the two hash headers little-endian. */
export function runningHashOver(start: Uint8Array, items: readonly Item[]): Buffer {
  const frame = Buffer.alloc(2 * secondHash)
  for (const offset of [0, secondHash]) {
    frame.writeBigUInt64LE(hashClassId, offset)
    frame.writeInt32LE(1, offset + 8)
  }
  frame.set(start, hashHeaderLength)
  for (const item of items) {
    frame.set(itemHash(item), secondHash + hashHeaderLength)
    frame.set(sha384(frame), hashHeaderLength)
  }
  return Buffer.from(frame.subarray(hashHeaderLength, secondHash))
}

function itemHash({ transaction, record }: Item): Buffer {
  const bytes = Buffer.allocUnsafe(20 + record.length + transaction.length)
  bytes.set(itemHeader)
  bytes.writeInt32BE(record.length, 12)
  bytes.set(record, 16)
  bytes.writeInt32BE(transaction.length, 16 + record.length)
  bytes.set(transaction, 20 + record.length)
  return sha384(bytes)
}
