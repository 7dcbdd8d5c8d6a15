import { firstTime, lastPoint, type Point, pointAt, type Series, tailOf } from '#projections/balances/packing/series.ts'
import { type BalanceRows, type Instant, isCurrent, latestTime } from '#queries/balances/instant.ts'

/** A series as rows keep it, and whose it is; token 0 for hbar. */
export interface StoredSeries extends Series {
  readonly account: bigint
  readonly token: bigint
  /** Sequence of the event that wrote it last. */
  readonly from: bigint
}

/** What held at an instant: the newest point of the row, one of its tail, or one that was archived. */
export async function findPoint(rows: BalanceRows, series: StoredSeries, at: Instant): Promise<Point | undefined> {
  const { chunks, segment } = series
  const newest = lastPoint(series)
  if (newest === undefined || isCurrent({ from: series.from, since: newest.time }, at)) return newest
  const time = latestTime(at)
  const tail = tailOf(series)
  if (time >= firstTime(tail)) return pointAt(tail, time)
  return chunks === 0 && segment === 0 ? undefined : findOldPoint(rows, series, time)
}

async function findOldPoint(rows: BalanceRows, series: StoredSeries, time: bigint): Promise<Point | undefined> {
  const { account, token } = series
  const segment = await segmentAt(rows, series, time)
  const [chunk] = await rows.find({
    collection: 'history',
    index: ['account', 'token', 'segment', 'first'],
    prefix: [account, token, segment],
    upper: { value: time, inclusive: true },
    descending: true,
    limit: 1,
    select: ['points'],
  })
  return chunk && pointAt(chunk.points, time)
}

/** The newest segment that had begun. The present one begins with its oldest point. */
async function segmentAt(rows: BalanceRows, { account, token, segment }: StoredSeries, time: bigint): Promise<number> {
  if (segment === 0) return 0
  const segments = await rows.find({
    collection: 'segments',
    index: ['account', 'token', 'segment'],
    prefix: [account, token],
    upper: { value: segment, inclusive: true },
    descending: true,
    limit: segment,
    select: ['segment', 'start'],
  })
  return segments.find(({ start }) => start <= time)?.segment ?? 0
}
