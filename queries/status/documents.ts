import { type AffectedComponent, unpack } from '#projections/status/packing.ts'
import type { ComponentRow, IncidentRow, PageRow, UpdateRow } from '#projections/status/schema.ts'
import type { Board } from '#queries/status/find-board.ts'
import type { WholeIncident } from '#queries/status/find-incidents.ts'
import { type PageStatus, pageStatus } from '#src/domain/status/rollup.ts'
import type { ComponentStatus, Impact } from '#src/domain/status/words.ts'
import { formatInstant } from '#src/domain/status/zoned-time.ts'

/** The documents of the public API, with keys in the order in which such pages send them. */

export function pageDocument({ id, name, url, timeZone, updated }: PageRow) {
  return {
    id: id ?? '',
    name: name ?? 'Status',
    url: url ?? '',
    time_zone: timeZone,
    updated_at: formatInstant(updated, timeZone),
  }
}

/** What the page says as a whole, by its components and, where it is set to, its unresolved incidents. */
export function statusDocument({ page, components }: Board, unresolved: readonly IncidentRow[]): PageStatus {
  const leaves = components.filter(({ isGroup }) => !isGroup).map(({ status }) => status as ComponentStatus)
  const impacts = unresolved.map(({ impact }) => impact as Impact)
  return pageStatus(leaves, impacts, {
    maintenanceIndicator: page.maintenanceIndicator as 'maintenance' | 'none',
    incidentFloor: page.incidentFloor === 1,
  })
}

export function componentDocuments({ page, components }: Board) {
  return components.map((component) => {
    const document = componentDocument(component, page)
    if (!component.isGroup) return document
    return { ...document, components: components.filter(({ groupId }) => groupId === component.id).map(({ id }) => id) }
  })
}

function componentDocument(component: ComponentRow, { id: pageId, timeZone }: PageRow) {
  const { id, name, status, created, updated, position, description, showcase, startAt, groupId } = component
  return {
    id,
    name,
    status,
    created_at: formatInstant(created, timeZone),
    updated_at: formatInstant(updated, timeZone),
    position,
    description,
    showcase: showcase === 1,
    start_date: instantOrNull(startAt, timeZone),
    group_id: groupId,
    page_id: pageId ?? '',
    group: component.isGroup === 1,
    only_show_if_degraded: component.onlyIfDegraded === 1,
  }
}

/** An incident, or a maintenance, which has its window besides. */
export function incidentDocument({ incident, updates }: WholeIncident, { page, components }: Board) {
  const { timeZone } = page
  const concerned = new Set(
    unpack<{ id: string; status: ComponentStatus; from: string }>(incident.components).map(({ id }) => id),
  )
  return {
    id: incident.id,
    name: incident.name,
    status: incident.status,
    created_at: formatInstant(incident.created, timeZone),
    updated_at: formatInstant(incident.updated, timeZone),
    monitoring_at: instantOrNull(incident.monitoring, timeZone),
    resolved_at: instantOrNull(incident.resolved, timeZone),
    impact: incident.impact,
    shortlink: `${page.url ?? ''}/i/${incident.id}`,
    started_at: formatInstant(incident.created, timeZone),
    page_id: page.id ?? '',
    incident_updates: updates.map((update) => updateDocument(update, timeZone)),
    components: components.filter(({ id }) => concerned.has(id)).map((component) => componentDocument(component, page)),
    reminder_intervals: null,
    ...windowDocument(incident, timeZone),
  }
}

function windowDocument({ scheduledFor, scheduledUntil }: IncidentRow, timeZone: string) {
  if (scheduledFor === null || scheduledUntil === null) return {}
  return {
    scheduled_for: formatInstant(scheduledFor, timeZone),
    scheduled_until: formatInstant(scheduledUntil, timeZone),
  }
}

function updateDocument(update: UpdateRow, timeZone: string) {
  return {
    id: update.id,
    status: update.status,
    body: update.body,
    incident_id: update.incident,
    created_at: formatInstant(update.created, timeZone),
    updated_at: formatInstant(update.updated, timeZone),
    display_at: formatInstant(update.displayAt, timeZone),
    affected_components: update.affected === null ? null : unpack<AffectedComponent>(update.affected),
    deliver_notifications: update.deliver === 1,
    custom_tweet: null,
    tweet_id: null,
  }
}

function instantOrNull(instant: string | null, timeZone: string): string | null {
  return instant === null ? null : formatInstant(instant, timeZone)
}
