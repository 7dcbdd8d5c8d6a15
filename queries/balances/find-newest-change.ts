import { clockKey, timeAt } from '#projections/balances/packing/clock.ts'
import { type BalanceRows, type Instant, isCurrent, latestTime } from '#queries/balances/instant.ts'
import { max } from '#queries/common/bigints.ts'

/** When some balance, of hbar or a token, changed last at or before an instant (ns); undefined where none had. */
export interface NewestChanges {
  /** By a transaction. */
  readonly seen: bigint | undefined
  /** As was stated; what holds after that time was not said. */
  readonly stated: bigint | undefined
}

export async function findNewestChanges(rows: BalanceRows, at: Instant): Promise<NewestChanges> {
  const [seen, stated] = await Promise.all([findSeen(rows, at), findNewestStatement(rows, at)])
  return { seen, stated }
}

export function newestOf({ seen, stated }: NewestChanges): bigint | undefined {
  return seen === undefined || stated === undefined ? (seen ?? stated) : max(seen, stated)
}

async function findSeen(rows: BalanceRows, at: Instant): Promise<bigint | undefined> {
  const [clock] = await rows.get('clock', [[clockKey]], ['newest', 'from', 'count', 'tail'])
  if (clock === undefined || isCurrent({ from: clock.from, since: clock.newest }, at)) return clock?.newest
  const time = latestTime(at)
  const kept = timeAt(clock.tail.subarray(0, clock.count * 8), time)
  if (kept !== undefined) return kept
  const [chunk] = await rows.find({
    collection: 'changeTimes',
    index: ['first'],
    upper: { value: time, inclusive: true },
    descending: true,
    limit: 1,
    select: ['times'],
  })
  return chunk && timeAt(chunk.times, time)
}

/** When balances were stated last at or before an instant (ns). */
export async function findNewestStatement(rows: BalanceRows, { time }: Instant): Promise<bigint | undefined> {
  const [newest] = await rows.find({
    collection: 'statedTimes',
    index: ['time'],
    ...(time !== undefined && { upper: { value: time, inclusive: true } }),
    descending: true,
    limit: 1,
    select: ['time'],
  })
  return newest?.time
}
