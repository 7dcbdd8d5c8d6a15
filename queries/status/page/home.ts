import type { ComponentChildren } from 'preact'
import type { ComponentRow } from '#projections/status/schema.ts'
import { statusDocument } from '#queries/status/documents.ts'
import type { Board } from '#queries/status/find-board.ts'
import type { WholeIncident } from '#queries/status/find-incidents.ts'
import type { ComponentUptime } from '#queries/status/find-uptime.ts'
import { barOf } from '#queries/status/page/bar.ts'
import { aboutOf, completeness } from '#queries/status/page/evidence.ts'
import { stateOf } from '#queries/status/page/icons.ts'
import { incidentCard } from '#queries/status/page/incident.ts'
import type { PageContent } from '#queries/status/page/layout.ts'
import { html } from '#queries/status/page/markup.ts'
import type { LiveHealth } from '#src/domain/status/live-health.ts'
import { addDays, type Day, dayAt, longDay } from '#src/domain/status/zoned-time.ts'

export interface HomeFacts {
  readonly board: Board
  readonly unresolved: readonly WholeIncident[]
  /** Maintenances that come or are on. */
  readonly planned: readonly WholeIncident[]
  /** What is over, of the last days. */
  readonly past: readonly WholeIncident[]
  readonly uptimes: ReadonlyMap<string, ComponentUptime>
  readonly today: Day
  readonly health: LiveHealth | undefined
  /** Events that the page could not take in. */
  readonly setAside: number
}

export const pastDays = 15

export function homePage(facts: HomeFacts): PageContent {
  const { board, unresolved, planned } = facts
  const { indicator, description } = statusDocument(board, unresolved)
  // The indicator alone says that all is well while an incident is open; readers would be misled.
  const headline = unresolved.length > 0 && indicator === 'none' ? openText(unresolved.length) : description
  const active = planned.filter(({ incident }) => incident.phase === 'active')
  const upcoming = planned.filter(({ incident }) => incident.phase === 'upcoming')
  const main = html`
    <h1 class=${`headline ${unresolved.length > 0 && indicator === 'none' ? 'minor' : indicator}`}>${headline}</h1>
    ${leftOut(facts.setAside)}
    ${section('Open incidents', unresolved, board)}
    ${section('Maintenance in progress', active, board)}
    <h2>Components</h2>
    ${componentList(facts)}
    ${completeness(facts.health)}
    ${section('Planned maintenance', upcoming, board)}
    <h2>Past days</h2>
    ${pastList(facts)}
    <p><a href="/history">All of the history</a></p>`
  return { page: board.page, title: headline, main, refresh: String(board.page.position) }
}

/** What is missing is nobody's secret: readers must not take the page for whole. */
function leftOut(count: number): ComponentChildren {
  if (count === 0) return null
  const what = count === 1 ? 'One entry of its records is' : `${count} entries of its records are`
  return html`<p class="card">This page is not complete: ${what} of a form that it cannot show.</p>`
}

function openText(count: number): string {
  return count === 1 ? 'One incident is open' : `${count} incidents are open`
}

function section(title: string, incidents: readonly WholeIncident[], { page }: Board): ComponentChildren {
  if (incidents.length === 0) return null
  return html`<section><h2>${title}</h2>${incidents.map((each) => incidentCard(each, page, 'h3'))}</section>`
}

function componentList({ board: { components }, uptimes, health }: HomeFacts): ComponentChildren {
  const top = components.filter(({ groupId }) => groupId === null).filter(isShown)
  const childrenOf = ({ id }: ComponentRow) => components.filter(({ groupId }) => groupId === id).filter(isShown)
  const row = (component: ComponentRow): ComponentChildren => html`<li>
    ${component.isGroup ? group(component, childrenOf(component)) : html`<div class="row"><span>${component.name}</span>${stateOf(component.status)}</div>${aboutOf(component, health)}`}
    ${uptimes.has(component.id) ? barOf(uptimes.get(component.id)!) : null}
  </li>`
  const group = (
    component: ComponentRow,
    own: readonly ComponentRow[],
  ): ComponentChildren => html`<details open=${component.status !== 'operational'}>
    <summary><span>${component.name}</span>${stateOf(component.status)}</summary>
    <ul class="plain">${own.map(row)}</ul>
  </details>`
  return html`<ul class="plain">${top.map(row)}</ul>`
}

function isShown({ onlyIfDegraded, status }: ComponentRow): boolean {
  return !onlyIfDegraded || status !== 'operational'
}

/** Day by day, those without incidents by name. What is open stands above with all its steps: here it is only named. */
function pastList({ board: { page }, past, unresolved, today }: HomeFacts): ComponentChildren {
  const dayOf = (instant: string): Day => dayAt(Date.parse(instant), page.timeZone)
  const over = Map.groupBy(past, ({ incident }) => dayOf(incident.resolved ?? incident.created))
  const open = Map.groupBy(unresolved, ({ incident }) => dayOf(incident.created))
  return Array.from({ length: pastDays }, (_, index) => {
    const day = addDays(today, -index)
    const [begun, ended] = [open.get(day) ?? [], over.get(day) ?? []]
    return html`<section><h3>${longDay(day)}</h3>${
      begun.length + ended.length === 0 ? html`<p class="dim">No incidents.</p>` : null
    }${begun.map(({ incident }) => html`<p><a href=${`/incidents/${incident.id}`}>${incident.name}</a> (open)</p>`)}${ended.map((each) => incidentCard(each, page, 'h4'))}</section>`
  })
}
