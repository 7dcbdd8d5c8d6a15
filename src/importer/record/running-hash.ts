import { hash } from 'node:crypto'
import { hashBytes, hashClassId, recordClassId } from '#src/importer/record/hash.ts'
import type { RecordFile, RecordItem } from '#src/importer/record/record-file.ts'

const hashHeaderBytes = 12
const itemHeaderBytes = 16
/** Where the two hashes of a link stand. */
const runAt = hashHeaderBytes
const itemAt = 2 * hashHeaderBytes + hashBytes

// Two buffers for the life of the process: the steps are synchronous, and millions of items a minute must not allocate.
const link = Buffer.alloc(2 * (hashHeaderBytes + hashBytes))
let item = newItem(64 * 1024)

for (const start of [0, hashHeaderBytes + hashBytes]) {
  // Little-endian, unlike everything else in these formats.
  link.writeBigUInt64LE(hashClassId, start)
  link.writeInt32LE(1, start + 8)
}

/** The running hash after all items, starting from the previous one. Defined for versions 5 and 6. */
function runningHash(start: Buffer, items: readonly RecordItem[]): Buffer {
  start.copy(link, runAt)
  for (const { record, transaction } of items) {
    // As text of one byte a character: a buffer for each of two digests of every item costs a third more.
    link.write(hash('sha384', itemBytes(record, transaction), 'binary'), itemAt, 'binary')
    link.write(hash('sha384', link, 'binary'), runAt, 'binary')
  }
  return Buffer.from(link.subarray(runAt, runAt + hashBytes))
}

/** Whether the items lead from the start to the end running hash; true where the format has none or there is no item. */
export function runningHashHolds(file: RecordFile): boolean {
  if (file.version < 5 || file.items.length === 0) return true
  return runningHash(file.previousHash, file.items).equals(file.chainHash)
}

/** What of an item is hashed. */
function itemBytes(record: Buffer, transaction: Buffer): Buffer {
  const length = itemHeaderBytes + record.length + 4 + transaction.length
  if (item.length < length) item = newItem(2 * length)
  item.writeInt32BE(record.length, 12)
  record.copy(item, itemHeaderBytes)
  const next = itemHeaderBytes + record.length
  item.writeInt32BE(transaction.length, next)
  transaction.copy(item, next + 4)
  return item.subarray(0, length)
}

function newItem(length: number): Buffer {
  const bytes = Buffer.alloc(length)
  bytes.writeBigUInt64BE(recordClassId, 0)
  bytes.writeInt32BE(1, 8)
  return bytes
}
