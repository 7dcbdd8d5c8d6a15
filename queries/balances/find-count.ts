import { lastPoint } from '#projections/balances/packing/series.ts'
import { countsAccount } from '#projections/balances/schema.ts'
import { findPoint } from '#queries/balances/find-point.ts'
import { type BalanceRows, type Instant, isCurrent, latestTime } from '#queries/balances/instant.ts'

/**
 * How many accounts hold something of a token, or of hbar, or how many there are, at an instant. undefined where statements
 * about the past, which came later, contradict what was counted of it.
 */
export async function findCount(rows: BalanceRows, counted: bigint, at: Instant): Promise<bigint | undefined> {
  const [row] = await rows.get('counts', [[counted]], ['exactFrom', 'from', 'segment', 'chunks', 'points', 'tail'])
  if (row === undefined) return 0n
  const newest = lastPoint(row)
  const isExact = latestTime(at) >= row.exactFrom
  if (
    newest !== undefined &&
    (at.time === undefined || isExact) &&
    isCurrent({ from: row.from, since: newest.time }, at)
  )
    return newest.amount
  if (!isExact) return undefined
  const point = await findPoint(rows, { ...row, account: countsAccount, token: counted }, at)
  return point?.amount ?? 0n
}
