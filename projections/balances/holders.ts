import { archive, type BalanceRows, type Moment } from '#projections/balances/archive.ts'
import { emptySeries, lastPoint, PointFlag, withPoint } from '#projections/balances/packing/series.ts'
import { countsAccount, greatestAccount } from '#projections/balances/schema.ts'

/**
 * Notes that an account has had a known balance since a time. Ids follow each other in the order of time but for what is stated, so
 * that whoever lists a past time need not look at all who came later.
 */
export function noteBeginning(rows: BalanceRows, account: bigint, moment: Moment): void {
  const newest = lastPoint(rows.get('counts', greatestAccount) ?? emptySeries)
  const greatest = newest?.amount ?? 0n
  recount(rows, greatestAccount, account > greatest ? account - greatest : 0n, moment, newest?.time)
}

/**
 * Counts one account more, or less, from a time on. `until` is the newest point of the account's series before: a statement
 * about the time before that may have changed the count in between as well, whether or not it changes the present one.
 */
export function recount(
  rows: BalanceRows,
  counted: bigint,
  difference: number | bigint,
  { time, from }: Moment,
  until?: bigint,
): void {
  const isPast = until !== undefined && time < until
  if (!difference && !isPast) return
  const before = rows.get('counts', counted) ?? { exactFrom: 0n, ...emptySeries }
  const newest = lastPoint(before)
  const amount = (newest?.amount ?? 0n) + BigInt(difference)
  const series = archive(
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
