import { type BalanceRows, type Moment, putAway } from '#projections/balances/put-away.ts'
import { type balancesSchema, countsAccount } from '#projections/balances/schema.ts'
import { emptySeries, lastPoint, PointFlag, withPoint } from '#projections/balances/series-packing.ts'
import type { WantedRows } from '#src/runtime/fold/projection.ts'

export function wantCount(rows: WantedRows<typeof balancesSchema>, counted: bigint): void {
  rows.want('counts', counted)
}

/**
 * Counts one account more, or less, from a time on. `until` is the newest point of the account's series before: a statement
 * about the time before that may have changed the count in between as well, whether or not it changes the present one.
 */
export function recount(
  rows: BalanceRows,
  counted: bigint,
  difference: number,
  { time, from }: Moment,
  until?: bigint,
): void {
  const isPast = until !== undefined && time < until
  if (difference === 0 && !isPast) return
  const before = rows.get('counts', counted) ?? { exactFrom: 0n, ...emptySeries }
  const newest = lastPoint(before)
  const amount = (newest?.amount ?? 0n) + BigInt(difference)
  const series = putAway(
    rows,
    countsAccount,
    counted,
    before,
    withPoint(before, { time, amount, flags: PointFlag.known }),
  )
  const isLate = newest !== undefined && time < newest.time
  let { exactFrom } = before
  if (isLate && newest.time > exactFrom) exactFrom = newest.time
  if (isPast && until > exactFrom) exactFrom = until
  rows.put('counts', { counted, exactFrom, from, ...series })
}
