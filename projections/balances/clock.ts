import { clockKey } from '#projections/balances/packing/clock.ts'
import type { balancesSchema } from '#projections/balances/schema.ts'
import { readInt64, writeInt64 } from '#src/domain/int64-words.ts'
import type { FoldedRows } from '#src/runtime/fold/projection.ts'

/** Times of one chunk: 1 KiB, so that a commit writes one chunk for many transactions. */
const chunkTimes = 128

/** Notes that a balance changed at a time, which is later than all before. */
export function tick(rows: FoldedRows<typeof balancesSchema>, time: bigint, from: bigint): void {
  const row = rows.get('clock', clockKey)
  if (row !== undefined && time <= row.newest) return
  const isFull = row === undefined || row.count === chunkTimes
  if (isFull && row !== undefined) rows.put('changeTimes', { first: readInt64(row.tail, 0), times: row.tail })
  const tail = isFull ? new Uint8Array(chunkTimes * 8) : row.tail
  const count = isFull ? 0 : row.count
  // Into the room behind the times that the row from before shows.
  writeInt64(tail, count * 8, time)
  rows.put('clock', { id: clockKey, newest: time, from, count: count + 1, tail })
}
