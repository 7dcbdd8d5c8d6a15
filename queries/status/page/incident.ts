import type { ComponentChildren } from 'preact'
import { h } from 'preact'
import { type AffectedComponent, unpack } from '#projections/status/packing.ts'
import type { IncidentRow, PageRow, UpdateRow } from '#projections/status/schema.ts'
import { readWhole, type WholeIncident } from '#queries/status/find-incidents.ts'
import { timeOf } from '#queries/status/page/layout.ts'
import { html } from '#queries/status/page/markup.ts'
import type { Pieces } from '#queries/status/page/pieces.ts'
import type { StatusContext } from '#queries/status/reads.ts'
import { componentStateNames, stateName } from '#queries/status/state-names.ts'
import type { ComponentStatus, Impact } from '#src/domain/status/words.ts'

const impactNames: Readonly<Record<Impact, string>> = {
  none: 'No impact',
  maintenance: 'Maintenance',
  minor: 'Minor impact',
  major: 'Major impact',
  critical: 'Critical impact',
}
/** Of the texts of one among others: an incident of usual length is told as a whole. */
const cardCharactersMax = 40_000
/** Names told with one step; all of them are in the documents. */
const affectedMax = 50

/** How many of them, from the first on, there was room for. */
export async function addCards(
  pieces: Pieces,
  context: StatusContext,
  incidents: readonly IncidentRow[],
  page: PageRow,
  level: 'h3' | 'h4',
): Promise<number> {
  for (const [index, incident] of incidents.entries()) {
    const whole = await readWhole(context, incident, cardCharactersMax)
    if (!(await pieces.add(incidentCard(whole, page, level)))) return index
  }
  return incidents.length
}

/** An incident or maintenance with its newest steps, newest first, under a heading of a level. */
export function incidentCard(
  { incident, updates, older }: WholeIncident,
  page: PageRow,
  level: 'h1' | 'h3' | 'h4',
): ComponentChildren {
  const name = html`<bdi>${incident.name}</bdi>`
  const heading = level === 'h1' ? name : html`<a href=${`/incidents/${incident.id}`}>${name}</a>`
  return html`<article class=${isOpen(incident) ? 'card open' : 'card'}>
    ${h(level, null, heading)}
    ${factsOf(incident, page)}
    <ol class="plain">${updates.map((update) => updateItem(update, page, level === 'h1'))}</ol>
    ${older === undefined ? null : html`<p>${olderLink(incident, older)}</p>`}
  </article>`
}

function isOpen({ phase }: IncidentRow): boolean {
  return phase === 'open' || phase === 'active'
}

function factsOf(incident: IncidentRow, { timeZone }: PageRow): ComponentChildren {
  const facts = [
    stateName(incident.status),
    impactNames[incident.impact as Impact],
    ...(incident.automatic ? ['Opened automatically'] : []),
  ]
  return html`<p class="dim">${facts.join(', ')}${windowOf(incident, timeZone)}</p>`
}

/** The text is HTML since it was folded, made of text by `richHtml` alone. */
function updateItem(update: UpdateRow, { timeZone }: PageRow, tellsAffected: boolean): ComponentChildren {
  const text = h('span', { dir: 'auto', dangerouslySetInnerHTML: { __html: update.html } })
  return html`<li class="update">
    <p><strong>${stateName(update.status)}</strong>${update.automatic ? ' (automatic)' : ''} - ${text}</p>
    ${tellsAffected && update.affected !== null ? affectedOf(unpack<AffectedComponent>(update.affected)) : null}
    <small>${timeOf(update.displayAt, timeZone)}</small>
  </li>`
}

function olderLink({ id }: IncidentRow, older: UpdateRow): ComponentChildren {
  return html`<a rel="next" href=${`/incidents/${id}/from/${older.id}`}>Earlier updates</a>`
}

function windowOf({ scheduledFor, scheduledUntil }: IncidentRow, timeZone: string): ComponentChildren {
  if (scheduledFor === null || scheduledUntil === null) return null
  return html`, ${timeOf(scheduledFor, timeZone)} to ${timeOf(scheduledUntil, timeZone)}`
}

function affectedOf(affected: readonly AffectedComponent[]): ComponentChildren {
  const told = affected.slice(0, affectedMax)
  const more = affected.length - told.length
  return html`<ul class="dim">${told.map(({ name, new_status }) => html`<li><bdi>${name}</bdi>: ${componentStateNames[new_status as ComponentStatus]}</li>`)}${more > 0 ? html`<li>${more} more</li>` : null}</ul>`
}
