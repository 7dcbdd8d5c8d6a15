import type { StatusEvent } from '#commands/status/events.ts'
import { impactOf, worseImpact } from '#src/domain/status/effective-status.ts'
import type { ComponentStatus, Impact, OpenIncidentStatus } from '#src/domain/status/words.ts'

/** The documents of the public API, as far as a story is told from them. */
export interface PageDocument {
  readonly id: string
  readonly name: string
  readonly url: string
}

export interface ComponentDocument {
  readonly id: string
  readonly name: string
  readonly description: string | null
  readonly created_at: string
  readonly showcase: boolean
  readonly start_date: string | null
  readonly only_show_if_degraded: boolean
  readonly group: boolean
  readonly group_id: string | null
}

interface UpdateDocument {
  readonly id: string
  readonly status: string
  readonly body: string
  readonly created_at: string
  readonly display_at: string
  readonly deliver_notifications: boolean
  readonly affected_components:
    | readonly { readonly code: string; readonly old_status: ComponentStatus; readonly new_status: ComponentStatus }[]
    | null
}

export interface IncidentDocument {
  readonly id: string
  readonly name: string
  readonly impact: Impact
  readonly incident_updates: readonly UpdateDocument[]
  readonly components: readonly { readonly id: string }[]
  readonly scheduled_for?: string
  readonly scheduled_until?: string
}

export function pageConfigured(
  page: PageDocument,
  at: string,
  changes: Partial<Extract<StatusEvent, { type: 'PageConfigured' }>['data']> = {},
) {
  return event('PageConfigured', {
    page_id: page.id,
    name: page.name,
    url: page.url,
    time_zone: 'Etc/UTC',
    maintenance_indicator: 'maintenance',
    incident_floor: false,
    automation: 'propose',
    group_uptime: 'all_up',
    at,
    ...changes,
  })
}

/** The components of a document as they were made, groups first where they stand before their own. */
export function componentsCreated(components: readonly ComponentDocument[]): StatusEvent[] {
  return components.map((component) =>
    event('ComponentCreated', {
      component_id: component.id,
      name: component.name,
      description: component.description,
      showcase: component.showcase,
      start_date: component.start_date?.slice(0, 10) ?? null,
      only_show_if_degraded: component.only_show_if_degraded,
      group: component.group,
      group_id: component.group_id,
      position: null,
      at: component.created_at,
    }),
  )
}

interface IncidentTold {
  /** Only so many of its first updates. */
  readonly updates?: number
  /** Written down when it was over: its components never showed it. */
  readonly afterwards?: boolean
}

/** What was decided about an incident, from its opening on: what each update changed. */
export function incidentTold(
  incident: IncidentDocument,
  { updates, afterwards = false }: IncidentTold = {},
): StatusEvent[] {
  const told = incident.incident_updates.toReversed().slice(0, updates)
  const held = new Map<string, ComponentStatus>()
  let worst: Impact = 'none'
  return told.flatMap((document, index) => {
    const { created_at: at, status } = document
    const changed = changesOf(document)
    for (const [id, now] of Object.entries(changed)) held.set(id, now)
    const before = worst
    worst = worseImpact(worst, impactOf(Object.values(changed)))
    const step = { incident_id: incident.id, update: updateText(document), at }
    const raised =
      index > 0 && worst !== before
        ? [event('IncidentImpactRaised', { incident_id: incident.id, impact: worst, at })]
        : []
    const shown = afterwards ? [] : imposed(incident.id, changed, at)
    if (index === 0) {
      const opened = {
        name: incident.name,
        status: status as OpenIncidentStatus,
        impact: worst,
        components: changed,
        automatic: false,
      }
      return [event('IncidentOpened', { ...step, ...opened }), ...shown]
    }
    if (status === 'postmortem') return [event('PostmortemPublished', step)]
    if (status !== 'resolved')
      return [
        event('IncidentUpdated', { ...step, status: status as OpenIncidentStatus, components: changed }),
        ...shown,
        ...raised,
      ]
    const over = [...held].filter(([, now]) => now !== 'operational').map(([id]) => [id, 'operational'] as const)
    return [event('IncidentResolved', step), ...(afterwards ? [] : imposed(incident.id, Object.fromEntries(over), at))]
  })
}

/** What was decided about a maintenance. `components`: those that it really put under maintenance. */
export function maintenanceTold(
  maintenance: IncidentDocument,
  { updates, afterwards = false }: IncidentTold = {},
): StatusEvent[] {
  const { id: maintenance_id, scheduled_for = '', scheduled_until = '' } = maintenance
  const told = maintenance.incident_updates.toReversed().slice(0, updates)
  const listed = told[0]?.affected_components?.map(({ code }) => code)
  const components = listed ?? maintenance.components.map(({ id }) => id)
  return told.flatMap((document): StatusEvent[] => {
    const at = document.created_at
    const step = { maintenance_id, update: updateText(document), at }
    const all = (status: ComponentStatus) => Object.fromEntries(components.map((id) => [id, status]))
    const shown = (status: ComponentStatus) =>
      afterwards ? [] : imposed(maintenance_id, all(status), at, 'maintenance')
    switch (document.status) {
      case 'scheduled': {
        const plan = { name: maintenance.name, components, scheduled_for, scheduled_until }
        const clock = { auto_start: true, auto_complete: true, mask_health: true }
        return [event('MaintenanceScheduled', { ...step, ...plan, ...clock })]
      }
      case 'in_progress':
        return [event('MaintenanceStarted', step), ...shown('under_maintenance')]
      case 'verifying':
        return [event('MaintenanceVerifying', step)]
      default:
        return [event('MaintenanceCompleted', step), ...shown('operational')]
    }
  })
}

function imposed(
  source_id: string,
  statuses: Readonly<Record<string, ComponentStatus>>,
  at: string,
  source: 'incident' | 'maintenance' = 'incident',
): StatusEvent[] {
  return Object.entries(statuses).map(([component_id, status]) => {
    const cause = { component_id, source, source_id, at }
    if (status === 'operational') return event('ComponentStatusReleased', cause)
    return event('ComponentStatusImposed', { ...cause, status, mask_health: source === 'maintenance' })
  })
}

function changesOf({ affected_components }: UpdateDocument): Record<string, ComponentStatus> {
  const changed = (affected_components ?? []).filter(({ old_status, new_status }) => old_status !== new_status)
  return Object.fromEntries(changed.map(({ code, new_status }) => [code, new_status]))
}

function updateText({ id: update_id, body, display_at, deliver_notifications }: UpdateDocument) {
  return { update_id, body, display_at, deliver_notifications }
}

export function event<T extends StatusEvent['type']>(
  type: T,
  data: Extract<StatusEvent, { type: T }>['data'],
): StatusEvent {
  return { type, data } as StatusEvent
}
