import { hashBytes, hashClassId, recordClassId, sha384 } from '#src/importer/record/hash.ts'
import type { RecordFile, RecordItem } from '#src/importer/record/record-file.ts'

const hashHeaderBytes = 12
const itemHeaderBytes = 16

// Two buffers for the life of the process: the steps are synchronous, and millions of items a minute must not allocate.
const link = Buffer.alloc(2 * (hashHeaderBytes + hashBytes))
let item = Buffer.alloc(64 * 1024)

for (const start of [0, hashHeaderBytes + hashBytes]) {
  // Little-endian, unlike everything else in these formats.
  link.writeBigUInt64LE(hashClassId, start)
  link.writeInt32LE(1, start + 8)
}

/** The running hash after all items, starting from the previous one. Defined for versions 5 and 6. */
export function runningHash(start: Buffer, items: readonly RecordItem[]): Buffer {
  let run = start
  for (const entry of items) run = nextRunningHash(run, entry)
  return run
}

/** Whether the items lead from the start to the end running hash; true where the format has none or there is no item. */
export function runningHashHolds(file: RecordFile): boolean {
  if (file.version < 5 || file.items.length === 0) return true
  return runningHash(file.previousHash, file.items).equals(file.chainHash)
}

function nextRunningHash(run: Buffer, { record, transaction }: RecordItem): Buffer {
  run.copy(link, hashHeaderBytes)
  itemHash(record, transaction).copy(link, 2 * hashHeaderBytes + hashBytes)
  return sha384(link)
}

function itemHash(record: Buffer, transaction: Buffer): Buffer {
  const length = itemHeaderBytes + record.length + 4 + transaction.length
  if (item.length < length) item = Buffer.alloc(2 * length)
  item.writeBigUInt64BE(recordClassId, 0)
  item.writeInt32BE(1, 8)
  item.writeInt32BE(record.length, 12)
  record.copy(item, itemHeaderBytes)
  const next = itemHeaderBytes + record.length
  item.writeInt32BE(transaction.length, next)
  transaction.copy(item, next + 4)
  return sha384(item.subarray(0, length))
}
