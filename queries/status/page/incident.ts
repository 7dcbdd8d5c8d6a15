import type { ComponentChildren } from 'preact'
import { h } from 'preact'
import { type AffectedComponent, unpack } from '#projections/status/packing.ts'
import type { PageRow } from '#projections/status/schema.ts'
import type { WholeIncident } from '#queries/status/find-incidents.ts'
import { timeOf } from '#queries/status/page/layout.ts'
import { html } from '#queries/status/page/markup.ts'
import { richText } from '#queries/status/rich-text.ts'
import { componentStateNames, stateName } from '#queries/status/state-names.ts'
import type { ComponentStatus, Impact } from '#src/domain/status/words.ts'

const impactNames: Readonly<Record<Impact, string>> = {
  none: 'No impact',
  maintenance: 'Maintenance',
  minor: 'Minor impact',
  major: 'Major impact',
  critical: 'Critical impact',
}

/** An incident or maintenance with its steps, newest first, under a heading of a level. */
export function incidentCard(
  { incident, updates }: WholeIncident,
  { timeZone }: PageRow,
  level: 'h1' | 'h3' | 'h4',
): ComponentChildren {
  const isOpen = incident.phase === 'open' || incident.phase === 'active'
  const name = level === 'h1' ? incident.name : html`<a href=${`/incidents/${incident.id}`}>${incident.name}</a>`
  const facts = [
    stateName(incident.status),
    impactNames[incident.impact as Impact],
    ...(incident.automatic ? ['Opened automatically'] : []),
  ]
  return html`<article class=${isOpen ? 'card open' : 'card'}>
    ${h(level, null, name)}
    <p class="dim">${facts.join(', ')}${windowOf(incident, timeZone)}</p>
    <ol class="plain">${updates.map(
      (update) => html`<li class="update">
      <p><strong>${stateName(update.status)}</strong>${update.automatic ? ' (automatic)' : ''} - ${richText(update.body)}</p>
      ${level === 'h1' && update.affected !== null ? affectedOf(unpack<AffectedComponent>(update.affected)) : null}
      <small>${timeOf(update.displayAt, timeZone)}</small>
    </li>`,
    )}</ol>
  </article>`
}

function windowOf({ scheduledFor, scheduledUntil }: WholeIncident['incident'], timeZone: string): ComponentChildren {
  if (scheduledFor === null || scheduledUntil === null) return null
  return html`, ${timeOf(scheduledFor, timeZone)} to ${timeOf(scheduledUntil, timeZone)}`
}

function affectedOf(affected: readonly AffectedComponent[]): ComponentChildren {
  return html`<ul class="dim">${affected.map(({ name, new_status }) => html`<li>${name}: ${componentStateNames[new_status as ComponentStatus]}</li>`)}</ul>`
}
