import { type ConcernedComponent, type StatusSource, shownStatus, unpack } from '#projections/status/packing.ts'
import type { ComponentRow, IncidentRow, SpanRow } from '#projections/status/schema.ts'
import type { Board } from '#queries/status/find-board.ts'
import type { StatusContext } from '#queries/status/reads.ts'
import {
  type DayUptime,
  dailyUptime,
  daysOf,
  type Interval,
  overlay,
  type UptimeDays,
  uptimePercent,
} from '#queries/status/uptime.ts'
import { worstStatus } from '#src/domain/status/effective-status.ts'
import type { ComponentStatus } from '#src/domain/status/words.ts'
import { dayAt, startOfDay } from '#src/domain/status/zoned-time.ts'

const uptimeDays = 90
/** Of one component: one that changes more often has no figures of the days before. */
const spansMax = 5_000

export interface ComponentUptime {
  readonly component: ComponentRow
  readonly days: readonly DayUptime[]
  readonly uptime: number | null
  /** Ids of the incidents that each day had, in the order of the days. */
  readonly incidents: readonly ReadonlySet<string>[]
}

/** What one source said, and when. */
type Said = Interval & Pick<StatusSource, 'source' | 'id' | 'status' | 'masks'>

/** What is the same for all components of an answer. */
export interface UptimeFacts {
  readonly context: StatusContext
  readonly board: Board
  readonly days: UptimeDays
  /** By component, what unresolved incidents say of it. */
  readonly open: ReadonlyMap<string, readonly StatusSource[]>
}

export function uptimeFacts(context: StatusContext, board: Board, unresolved: readonly IncidentRow[]): UptimeFacts {
  const now = Number(context.now / 1_000_000n)
  const days = daysOf({ days: uptimeDays, now, timeZone: board.page.timeZone })
  return { context, board, days, open: openSources(unresolved) }
}

function openSources(unresolved: readonly IncidentRow[]): Map<string, StatusSource[]> {
  const open = new Map<string, StatusSource[]>()
  for (const { id, components } of unresolved)
    for (const { id: component, status, from } of unpack<ConcernedComponent>(components)) {
      const source: StatusSource = { source: 'incident', id, status, masks: false, from }
      const known = open.get(component)
      if (known === undefined) open.set(component, [source])
      else known.push(source)
    }
  return open
}

/** Uptime of a component or a group over the last ninety days of the page. */
export async function findUptime(facts: UptimeFacts, component: ComponentRow): Promise<ComponentUptime> {
  const { board, days } = facts
  const { page, components } = board
  const counted = component.isGroup ? countedOf(component, components) : [component]
  const said: SaidSince[] = []
  for (const each of counted) said.push(await findSaid(facts, each))
  const segments = said.map(({ all }) => overlay(all, shownStatus))
  const since = Math.max(sinceOf(component, counted), ...said.map((each) => each.since))
  const together =
    segments.length === 1
      ? segments[0]!
      : overlay(segments.flat(), (holding) => worstStatus(holding.map(({ status }) => status)))
  const told = dailyUptime(together, since, days)
  const isMean = component.isGroup === 1 && page.groupUptime === 'mean'
  const uptime = isMean
    ? meanOf(segments.map((each) => uptimePercent(dailyUptime(each, since, days))))
    : uptimePercent(told)
  const incidents = incidentsOf(
    said.flatMap(({ all }) => all),
    days,
  )
  return { component, days: told, uptime, incidents }
}

/** Components of a group that are shown with their uptime; all of them where none is. */
function countedOf({ id }: ComponentRow, components: readonly ComponentRow[]): ComponentRow[] {
  const own = components.filter(({ groupId }) => groupId === id)
  const shown = own.filter(({ showcase }) => showcase)
  return shown.length > 0 ? shown : own
}

/** Where a component does not say from when on its uptime counts, it is from its beginning. */
function sinceOf(component: ComponentRow, counted: readonly ComponentRow[]): number {
  const own = component.startAt ?? component.created
  if (!component.isGroup || component.startAt !== null) return Date.parse(own)
  return Math.min(...counted.map(({ startAt, created }) => Date.parse(startAt ?? created)), Date.parse(own))
}

function meanOf(percents: readonly (number | null)[]): number | null {
  const known = percents.filter((percent) => percent !== null)
  if (known.length === 0) return null
  return Math.round((1_000 * known.reduce((sum, percent) => sum + percent, 0)) / known.length) / 1_000
}

const spanFields = ['until', 'from', 'source', 'sourceId', 'status', 'masks'] as const

interface SaidSince {
  readonly all: readonly Said[]
  /** From when on that is everything that was said; milliseconds. */
  readonly since: number
}

/** Everything that any source said of a component in the window, what still holds with it. */
async function findSaid({ context, days, open }: UptimeFacts, { id, sources }: ComponentRow): Promise<SaidSince> {
  const spans = await context.rows.status.find({
    collection: 'spans',
    index: ['component', 'until', 'from', 'source', 'sourceId'],
    prefix: [id],
    lower: { value: new Date(days.starts[0]!).toISOString(), inclusive: false },
    descending: true,
    limit: spansMax + 1,
    select: spanFields,
  })
  const own = unpack<StatusSource>(sources).filter(({ source }) => source !== 'incident')
  const still = stillSaid([...own, ...(open.get(id) ?? [])], days.now)
  const all = [...spans.map(saidOf), ...still]
  return { all, since: spans.length > spansMax ? wholeSince(spans.at(-1)!.until, days) : 0 }
}

/** The first day of which nothing was left out. */
function wholeSince(oldest: string, { timeZone, starts, now }: UptimeDays): number {
  const start = startOfDay(dayAt(Date.parse(oldest), timeZone), timeZone)
  return starts.find((each) => each > start) ?? now
}

function saidOf({ until, from, source, sourceId, status, masks }: Pick<SpanRow, (typeof spanFields)[number]>): Said {
  const interval = { from: Date.parse(from), until: Date.parse(until) }
  return {
    ...interval,
    source: source as Said['source'],
    id: sourceId,
    status: status as ComponentStatus,
    masks: masks === 1,
  }
}

function stillSaid(sources: readonly StatusSource[], now: number): Said[] {
  return sources
    .filter(({ status }) => status !== 'operational')
    .map((said) => ({ ...said, from: Date.parse(said.from), until: now }))
    .filter(({ from, until }) => from < until)
}

function incidentsOf(said: readonly Said[], { starts }: UptimeDays): Set<string>[] {
  const byDay = starts.map(() => new Set<string>())
  for (const { source, id, from, until } of said) {
    if (source !== 'incident') continue
    // A day ends where the next one begins; the last one has not ended.
    for (let day = lastBefore(starts, until); day >= 0; day--) {
      byDay[day]!.add(id)
      if (starts[day]! <= from) break
    }
  }
  return byDay
}

/** The last day that begins before an instant; -1 where none does. */
function lastBefore(starts: readonly number[], instant: number): number {
  let [low, high] = [0, starts.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (starts[middle]! < instant) low = middle + 1
    else high = middle
  }
  return low - 1
}
