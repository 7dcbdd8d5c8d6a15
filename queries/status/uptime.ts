import { type ComponentStatus, componentStatuses } from '#src/domain/status/words.ts'
import { addDays, type Day, dayAt, startOfDay } from '#src/domain/status/zoned-time.ts'

/** A time during which something held; milliseconds, the end excluded. */
export interface Interval {
  readonly from: number
  readonly until: number
}

/** A time during which a component was in a state. */
export interface Segment extends Interval {
  readonly status: ComponentStatus
}

export interface DayUptime {
  readonly date: Day
  readonly majorMs: number
  readonly partialMs: number
  /** So long the day was, or has been until now; 0 where nothing is known of it. */
  readonly totalMs: number
  /** The worst that was seen. */
  readonly worst: ComponentStatus
}

export interface UptimeWindow {
  readonly days: number
  /** Milliseconds; the last day is the one of this instant, and ends with it. */
  readonly now: number
  readonly timeZone: string
}

/** Share of a partial outage that counts as downtime, in tenths. */
const partialTenths = 3

/**
 * States over time, from times that overlap: what `statusOf` makes of all that hold at once. Gives only what is not
 * operational, in order.
 */
export function overlay<T extends Interval>(
  intervals: readonly T[],
  statusOf: (holding: readonly T[]) => ComponentStatus,
): Segment[] {
  const instants = [...new Set(intervals.flatMap(({ from, until }) => [from, until]))].sort((a, b) => a - b)
  const waiting = intervals.toSorted((a, b) => a.from - b.from)
  const segments: Segment[] = []
  let holding: T[] = []
  let next = 0
  for (const [index, from] of instants.slice(0, -1).entries()) {
    holding = holding.filter(({ until }) => until > from)
    for (; next < waiting.length && waiting[next]!.from <= from; next++) holding.push(waiting[next]!)
    const status = statusOf(holding)
    if (status !== 'operational') segments.push({ from, until: instants[index + 1]!, status })
  }
  return segments
}

/** The days of a window, and when each begins; milliseconds. */
export interface UptimeDays extends UptimeWindow {
  readonly dates: readonly Day[]
  readonly starts: readonly number[]
}

/** Asked once for all that is told of the same days: clocks of a zone cost more than the rest of it. */
export function daysOf(window: UptimeWindow): UptimeDays {
  const last = dayAt(window.now, window.timeZone)
  const dates = Array.from({ length: window.days }, (_, index) => addDays(last, index + 1 - window.days))
  return { ...window, dates, starts: dates.map((date) => startOfDay(date, window.timeZone)) }
}

/**
 * What every day of the window had of outages, from segments in order. Days before `since` are not counted, nor is what of it
 * comes before.
 */
export function dailyUptime(
  segments: readonly Segment[],
  since: number,
  { dates, starts, now }: UptimeDays,
): DayUptime[] {
  let first = 0
  return dates.map((date, index) => {
    const from = Math.max(starts[index]!, since)
    const until = Math.min(starts[index + 1] ?? now, now)
    while (first < segments.length && segments[first]!.until <= starts[index]!) first += 1
    return dayOf(date, segments, first, { from, until })
  })
}

function dayOf(date: Day, segments: readonly Segment[], first: number, day: Interval): DayUptime {
  const spent: Partial<Record<ComponentStatus, number>> = {}
  for (let at = first; at < segments.length && segments[at]!.from < day.until; at++) {
    const { from, until, status } = segments[at]!
    const ms = Math.min(until, day.until) - Math.max(from, day.from)
    if (ms > 0) spent[status] = (spent[status] ?? 0) + ms
  }
  const worst = componentStatuses.findLast((status) => spent[status] !== undefined) ?? 'operational'
  const totalMs = Math.max(0, day.until - day.from)
  return { date, majorMs: spent.major_outage ?? 0, partialMs: spent.partial_outage ?? 0, totalMs, worst }
}

/** Percent of the days' time, with three decimals; null where nothing is known of any of them. */
export function uptimePercent(days: readonly Pick<DayUptime, 'majorMs' | 'partialMs' | 'totalMs'>[]): number | null {
  let total = 0
  let downTenths = 0
  for (const { majorMs, partialMs, totalMs } of days) {
    total += totalMs
    downTenths += 10 * majorMs + partialTenths * partialMs
  }
  if (total === 0) return null
  return Number(roundHalfEven(BigInt(Math.round(10 * total - downTenths)) * 10_000n, BigInt(Math.round(total)))) / 1_000
}

/** Exact, since 99.0625 has no other way to be the same everywhere: halves go to the even neighbour. */
function roundHalfEven(numerator: bigint, denominator: bigint): bigint {
  const floor = numerator / denominator
  const twice = 2n * (numerator % denominator)
  return twice > denominator || (twice === denominator && floor % 2n === 1n) ? floor + 1n : floor
}
