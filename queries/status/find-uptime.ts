import { type ConcernedComponent, type StatusSource, shownStatus, unpack } from '#projections/status/packing.ts'
import type { ComponentRow, SpanRow } from '#projections/status/schema.ts'
import type { Board } from '#queries/status/find-board.ts'
import type { WholeIncident } from '#queries/status/find-incidents.ts'
import type { StatusContext } from '#queries/status/reads.ts'
import { type DayUptime, dailyUptime, type Interval, overlay, uptimePercent } from '#queries/status/uptime.ts'
import { worstStatus } from '#src/domain/status/effective-status.ts'
import type { ComponentStatus } from '#src/domain/status/words.ts'
import { addDays, type Day, dayAt, startOfDay } from '#src/domain/status/zoned-time.ts'

const uptimeDays = 90

export interface ComponentUptime {
  readonly component: ComponentRow
  readonly days: readonly DayUptime[]
  readonly uptime: number | null
  /** Ids of the incidents that a day had. */
  readonly incidentsOf: ReadonlyMap<Day, ReadonlySet<string>>
}

/** What one source said, and when. */
type Said = Interval & Pick<StatusSource, 'source' | 'id' | 'status' | 'masks'>

/** Uptime of a component or a group over the last ninety days of the page. */
export async function findUptime(
  context: StatusContext,
  board: Board,
  component: ComponentRow,
  unresolved: readonly WholeIncident[],
): Promise<ComponentUptime> {
  const { page, components } = board
  const window = { days: uptimeDays, now: Number(context.now / 1_000_000n), timeZone: page.timeZone }
  const counted = component.isGroup ? countedOf(component, components) : [component]
  const said: Said[][] = []
  for (const each of counted) said.push(await findSaid(context, each, unresolved, window.now, page.timeZone))
  const segments = said.map((all) => overlay(all, shownStatus))
  const since = sinceOf(component, counted)
  const together = overlay(segments.flat(), (holding) => worstStatus(holding.map(({ status }) => status)))
  const days = dailyUptime(together, since, window)
  const isMean = component.isGroup === 1 && page.groupUptime === 'mean'
  const uptime = isMean
    ? meanOf(segments.map((each) => uptimePercent(dailyUptime(each, since, window))))
    : uptimePercent(days)
  return { component, days, uptime, incidentsOf: incidentsByDay(said.flat(), page.timeZone) }
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
const spanRows = 1_000

/** Everything that any source said of a component in the window, what still holds with it. */
async function findSaid(
  { rows }: StatusContext,
  { id: component, sources }: ComponentRow,
  unresolved: readonly WholeIncident[],
  now: number,
  timeZone: string,
): Promise<Said[]> {
  const first = startOfDay(addDays(dayAt(now, timeZone), 1 - uptimeDays), timeZone)
  const found: Said[] = []
  const read = (after: string, limit: number) =>
    rows.status.find({
      collection: 'spans',
      index: ['component', 'until', 'from', 'source', 'sourceId'],
      prefix: [component],
      lower: { value: after, inclusive: false },
      limit,
      select: spanFields,
    })
  for (let after = new Date(first).toISOString(), limit = spanRows; ; ) {
    const page = await read(after, limit)
    const last = page.at(-1)
    const isLast = last === undefined || page.length < limit
    // The end of the page may be in the middle of those that ended at one instant: they come again with the next one.
    const whole = isLast ? page : page.filter(({ until }) => until < last.until)
    found.push(...whole.map(saidOf))
    if (isLast) break
    if (whole.length > 0) after = whole.at(-1)!.until
    else limit *= 2
  }
  return [...found, ...stillSaid(component, sources, unresolved, now)]
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

function stillSaid(component: string, sources: string, unresolved: readonly WholeIncident[], now: number): Said[] {
  const own = unpack<StatusSource>(sources).filter(({ source }) => source !== 'incident')
  const byIncidents = unresolved.flatMap(({ incident }) =>
    unpack<ConcernedComponent>(incident.components)
      .filter(({ id }) => id === component)
      .map(({ status, from }): StatusSource => ({ source: 'incident', id: incident.id, status, masks: false, from })),
  )
  return [...own, ...byIncidents]
    .filter(({ status }) => status !== 'operational')
    .map((said) => ({ ...said, from: Date.parse(said.from), until: now }))
    .filter(({ from, until }) => from < until)
}

function incidentsByDay(said: readonly Said[], timeZone: string): Map<Day, Set<string>> {
  const byDay = new Map<Day, Set<string>>()
  for (const { source, id, from, until } of said) {
    if (source !== 'incident') continue
    const last = dayAt(until - 1, timeZone)
    for (let day = dayAt(from, timeZone); day <= last; day = addDays(day, 1)) {
      const known = byDay.get(day)
      if (known) known.add(id)
      else byDay.set(day, new Set([id]))
    }
  }
  return byDay
}
