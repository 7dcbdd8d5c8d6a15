import { lastPoint, PointFlag } from '#projections/balances/packing/series.ts'
import { hbar } from '#projections/balances/schema.ts'
import { findHbarBalances } from '#queries/balances/find-account-balances.ts'
import { findPoint } from '#queries/balances/find-point.ts'
import { type BalanceRows, type Instant, isCurrent, latestTime } from '#queries/balances/instant.ts'
import { max } from '#queries/common/bigints.ts'
import { unreleasedAccount, unreleasedRanges } from '#src/domain/unreleased-accounts.ts'

/** What some accounts hold together. */
export interface TotalBalance {
  /** tinybar */
  readonly balance: bigint
  /** ns; when it changed last. */
  readonly timestamp: bigint
}

export type AccountRanges = readonly (readonly [from: number, to: number])[]

/**
 * What the accounts of these ranges hold at an instant; undefined when no balance among them is known. The usual ones have
 * a series of their own; others are asked one by one.
 */
export async function findTotalBalance(
  rows: BalanceRows,
  ranges: AccountRanges,
  at: Instant,
): Promise<TotalBalance | undefined> {
  if (!isUsual(ranges)) return sumUp(rows, ranges, at)
  const [sum] = await rows.get(
    'sums',
    [[unreleasedAccount]],
    ['account', 'balance', 'changed', 'members', 'exactFrom', 'from', 'segment', 'chunks', 'points', 'tail'],
  )
  if (sum === undefined) return undefined
  const newest = lastPoint(sum)
  if (newest !== undefined && isCurrent({ from: sum.from, since: newest.time }, at))
    return sum.members === 0 || sum.changed === null
      ? undefined
      : { balance: sum.balance, timestamp: at.time === undefined ? sum.changed : newest.time }
  if (latestTime(at) < sum.exactFrom) return sumUp(rows, ranges, at)
  const point = await findPoint(rows, { ...sum, token: hbar }, at)
  return point && (point.flags & PointFlag.known) !== 0 ? { balance: point.amount, timestamp: point.time } : undefined
}

function isUsual(ranges: AccountRanges): boolean {
  return ranges === unreleasedRanges || JSON.stringify(ranges) === JSON.stringify(unreleasedRanges)
}

async function sumUp(rows: BalanceRows, ranges: AccountRanges, at: Instant): Promise<TotalBalance | undefined> {
  const accounts = ranges.flatMap(([from, to]) =>
    Array.from({ length: to - from + 1 }, (_, index) => BigInt(from + index)),
  )
  const balances = await findHbarBalances(rows, accounts, at)
  let total: TotalBalance | undefined
  for (const { balance, timestamp } of balances) {
    if (balance === null || timestamp === null) continue
    total = { balance: balance + (total?.balance ?? 0n), timestamp: max(timestamp, total?.timestamp ?? timestamp) }
  }
  return total
}
