import { clockKey, viewOf } from '#projections/balances/clock-packing.ts'
import type { balancesSchema } from '#projections/balances/schema.ts'
import { appended } from '#src/domain/appended-bytes.ts'
import type { FoldedRows, WantedRows } from '#src/runtime/fold/projection.ts'

/** Times of one chunk: 1 KiB, so that a commit writes one chunk for many transactions. */
const chunkTimes = 128

const nothing = new Uint8Array(0)

export function wantClock(rows: WantedRows<typeof balancesSchema>): void {
  rows.want('clock', clockKey)
}

/** Notes that a balance changed at a time, which is later than all before. */
export function tick(rows: FoldedRows<typeof balancesSchema>, time: bigint, from: bigint): void {
  const row = rows.get('clock', clockKey)
  if (row !== undefined && time <= row.newest) return
  let tail = row?.tail ?? nothing
  if (tail.length >= chunkTimes * 8) {
    rows.put('changeTimes', { first: viewOf(tail).getBigInt64(0), times: tail })
    tail = nothing
  }
  const grown = appended(tail, chunkTimes * 8, 8)
  viewOf(grown).setBigInt64(tail.length, time)
  rows.put('clock', { id: clockKey, newest: time, from, tail: grown })
}
