import type { ComponentChildren } from 'preact'
import type { IncidentRow, PageRow } from '#projections/status/schema.ts'
import { findIncidents } from '#queries/status/find-incidents.ts'
import { addCards } from '#queries/status/page/incident.ts'
import { html } from '#queries/status/page/markup.ts'
import type { Pieces } from '#queries/status/page/pieces.ts'
import type { StatusContext } from '#queries/status/reads.ts'
import { addDays, type Day, dayAt, longDay, monthOf, startOfDay } from '#src/domain/status/zoned-time.ts'

const pastDays = 15
/** What changed in these days; of days before the oldest of so many nothing is said. */
const changedMax = 200

export interface PastFacts {
  readonly page: PageRow
  readonly today: Day
  /** Told above with all their steps: here they are only named. */
  readonly unresolved: readonly IncidentRow[]
  readonly changed: readonly IncidentRow[]
}

/** Incidents and maintenances that changed in the last days, newest first. */
export function findChanged(context: StatusContext, today: Day, timeZone: string): Promise<IncidentRow[]> {
  const value = new Date(startOfDay(addDays(today, 1 - pastDays), timeZone)).toISOString()
  const lower = { value, inclusive: true }
  return findIncidents(context, { index: ['updated'], lower, descending: true }, changedMax)
}

/** Day by day, newest first. Days without incidents that follow each other are one line. */
export async function addPastDays(pieces: Pieces, context: StatusContext, facts: PastFacts): Promise<void> {
  const { page, today, unresolved, changed } = facts
  const dayOf = (instant: string): Day => dayAt(Date.parse(instant), page.timeZone)
  const past = changed.filter(({ phase }) => phase === 'past')
  const over = Map.groupBy(past, ({ resolved, created }) => dayOf(resolved ?? created))
  const open = Map.groupBy(unresolved, ({ created }) => dayOf(created))
  const days = toldDays(today, changed.length === changedMax ? dayOf(changed.at(-1)!.updated) : undefined)
  let quiet: Day[] = []
  for (const day of days) {
    const [begun, ended] = [open.get(day) ?? [], over.get(day) ?? []]
    if (begun.length + ended.length === 0) {
      quiet.push(day)
      continue
    }
    pieces.say(quietDays(quiet))
    quiet = []
    pieces.say(html`<h3>${longDay(day)}</h3>`)
    for (const incident of begun) if (!(await pieces.add(nameOf(incident)))) return
    if ((await addCards(pieces, context, ended, page, 'h4')) < ended.length) return
  }
  pieces.say(quietDays(quiet))
}

/** Those of which everything that happened is known here. */
function toldDays(today: Day, oldest: Day | undefined): Day[] {
  const days = Array.from({ length: pastDays }, (_, index) => addDays(today, -index))
  return oldest === undefined ? days : days.filter((day) => day > oldest)
}

function nameOf({ id, name }: IncidentRow): ComponentChildren {
  return html`<p><a href=${`/incidents/${id}`}><bdi>${name}</bdi></a> (open)</p>`
}

/** `8 to 10 June 2026: no incidents.`, of days from the newest to the oldest. */
function quietDays(days: readonly Day[]): ComponentChildren {
  const [newest, oldest] = [days[0], days.at(-1)]
  if (newest === undefined || oldest === undefined) return null
  const from = monthOf(oldest) === monthOf(newest) ? longDay(oldest).split(' ', 1)[0] : longDay(oldest)
  const when = newest === oldest ? longDay(newest) : `${from} to ${longDay(newest)}`
  return html`<p class="quiet"><span>${when}</span>: <span class="dim">no incidents.</span></p>`
}
