import { type Point, PointFlag, tailOf, unpack } from '#projections/balances/packing/series.ts'
import { findPoint, type StoredSeries } from '#queries/balances/find-point.ts'
import type { BalanceRows } from '#queries/balances/instant.ts'
import type { Checkpoint } from '#src/ports/read-store.ts'

/** Times of which a balance is asked for. Inclusive, ns. */
export interface HistoryWindow {
  /** undefined: since the first change that is known. */
  readonly from: bigint | undefined
  readonly to: bigint
}

/** What a balance was over time. */
export interface BalanceHistory {
  /** Every change is there; else what it was at instants in equal distances. */
  readonly isWhole: boolean
  /** Ascending. */
  readonly points: readonly HistoryPoint[]
}

export interface HistoryPoint {
  /** ns */
  readonly time: bigint
  /** null when unknown, or of a token that the account may not hold. */
  readonly balance: bigint | null
}

/** Points that a chunk of history has at least. */
const chunkLeast = 16
/** Instants asked for at once. */
const instantsAtOnce = 100

interface HistoryQuery {
  readonly series: StoredSeries
  /** What a point has to be flagged with for its amount to count. */
  readonly flags: number
  readonly window: HistoryWindow
  /** Most points, 2 or more. */
  readonly most: number
  readonly checkpoint: Checkpoint
  readonly pause: () => Promise<void>
}

/** All changes in the window, after what was true when it begins; or, where these are too many, the balance at so many instants. */
export async function findHistory(rows: BalanceRows, query: HistoryQuery): Promise<BalanceHistory> {
  const { window, most, flags } = query
  const changes = await findChanges(rows, query)
  const shown = (time: bigint, point: Point | undefined): HistoryPoint => ({ time, balance: amountOf(point, flags) })
  if (changes !== undefined) {
    const { from = -1n } = window
    const before = changes.findLast(({ time }) => time <= from)
    const within = changes.filter(({ time }) => time > from && time <= window.to)
    const points = [...(before ? [shown(from, before)] : []), ...within.map((point) => shown(point.time, point))]
    if (points.length <= most) return { isWhole: true, points }
  }
  const times = instantsOf(window.from ?? (await firstTimeOf(rows, query.series)), window.to, most)
  return { isWhole: false, points: await findAt(rows, times, query, shown) }
}

export const hbarFlags = PointFlag.known
export const tokenFlags = PointFlag.known | PointFlag.associated

function amountOf(point: Point | undefined, flags: number): bigint | null {
  return point !== undefined && (point.flags & flags) === flags ? point.amount : null
}

/** The points from the one that holds when the window begins on; undefined when they are too many, or not in one piece. */
async function findChanges(
  rows: BalanceRows,
  { series, window: { from = -1n, to }, most }: HistoryQuery,
): Promise<Point[] | undefined> {
  const { account, token, segment, chunks } = series
  const tail = unpack(tailOf(series))
  const oldest = tail[0]?.time
  if (oldest === undefined || oldest <= from || (chunks === 0 && segment === 0)) return tail
  if (segment > 0 && !(await hasBegun(rows, series, from))) return undefined
  const limit = Math.ceil(most / chunkLeast) + 1
  const found = await rows.find({
    collection: 'history',
    index: ['account', 'token', 'segment', 'first'],
    prefix: [account, token, segment],
    // What the tail still had when the row was read may have been archived since.
    upper: to < oldest ? { value: to, inclusive: true } : { value: oldest, inclusive: false },
    descending: true,
    limit,
    select: ['first', 'points'],
  })
  const reach = found.findIndex(({ first }) => first <= from)
  if (reach === -1 && found.length === limit) return undefined
  const needed = reach === -1 ? found : found.slice(0, reach + 1)
  return [...needed.reverse().flatMap(({ points }) => unpack(points)), ...tail]
}

/** Whether the newest segment holds at a time. */
async function hasBegun(rows: BalanceRows, { account, token, segment }: StoredSeries, time: bigint): Promise<boolean> {
  const [row] = await rows.get('segments', [[account, token, segment]], ['start'])
  return row !== undefined && row.start <= time
}

async function firstTimeOf(rows: BalanceRows, series: StoredSeries): Promise<bigint> {
  const [oldest] = await rows.find({
    collection: 'history',
    index: ['account', 'token', 'segment', 'first'],
    prefix: [series.account, series.token],
    limit: 1,
    select: ['first'],
  })
  return oldest?.first ?? unpack(tailOf(series))[0]?.time ?? 0n
}

/** So many instants in equal distances, both ends included. */
function instantsOf(from: bigint, to: bigint, count: number): bigint[] {
  const last = BigInt(count - 1)
  return Array.from({ length: count }, (_, index) => from + ((to - from) * BigInt(index)) / last)
}

async function findAt(
  rows: BalanceRows,
  times: readonly bigint[],
  { series, checkpoint, pause }: HistoryQuery,
  shown: (time: bigint, point: Point | undefined) => HistoryPoint,
): Promise<HistoryPoint[]> {
  const found: HistoryPoint[] = []
  for (let start = 0; start < times.length; start += instantsAtOnce) {
    const some = times.slice(start, start + instantsAtOnce)
    const points = await Promise.all(some.map((time) => findPoint(rows, series, { checkpoint, time })))
    found.push(...some.map((time, index) => shown(time, points[index])))
    await pause()
  }
  return found
}
