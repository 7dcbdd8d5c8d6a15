import type { ComponentState, StatusView } from '#commands/status/state.ts'
import type { Noun } from '#src/cli/verbs/status/verbs.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { effectiveStatus, worseImpact, worstStatus } from '#src/domain/status/effective-status.ts'
import type { ComponentStatus } from '#src/domain/status/words.ts'
import type { RecordedDecision } from '#src/ports/decision-store.ts'

/** What a list and its JSON have of each. */
export interface Entry {
  readonly id: string
  readonly status: string
  readonly name: string
  readonly [detail: string]: unknown
}

/** Newest first; components in the order in which they were made. */
export function entriesOf(view: StatusView, noun: Noun): Entry[] {
  if (noun === 'incident') return incidentsOf(view)
  return noun === 'maintenance' ? maintenancesOf(view) : componentsOf(view)
}

function incidentsOf({ incidents }: StatusView): Entry[] {
  const all = [...incidents.values()].map(({ incident_id: id, status, name, ...incident }) => ({
    id,
    status,
    impact: incident.override ?? worseImpact(incident.impact, incident.worst),
    started_at: incident.started_at,
    automatic: incident.automatic,
    components: Object.fromEntries(incident.components),
    name,
  }))
  return all.sort((a, b) => (a.started_at < b.started_at ? 1 : -1))
}

function maintenancesOf({ maintenances }: StatusView): Entry[] {
  const all = [...maintenances.values()].map(({ maintenance_id: id, status, name, ...maintenance }) => {
    const { scheduled_for, scheduled_until, components } = maintenance
    return { id, status, scheduled_for, scheduled_until, components, name }
  })
  return all.sort((a, b) => (a.scheduled_for < b.scheduled_for ? 1 : -1))
}

function componentsOf({ components }: StatusView): Entry[] {
  const present = [...components.values()].filter(({ removed }) => !removed)
  const statusOf = (component: ComponentState): ComponentStatus =>
    component.group
      ? worstStatus(present.filter(({ group_id }) => group_id === component.component_id).map(shownOf))
      : shownOf(component)
  return present.map((component) => {
    const { component_id: id, name, group, group_id, description, showcase, start_date, manual, imposed } = component
    const said = { manual: manual ?? null, imposed: [...imposed.values()], health: component.health ?? null }
    return { id, status: statusOf(component), group, group_id, description, showcase, start_date, ...said, name }
  })
}

/** What readers see of one that is no group. */
function shownOf({ manual, imposed, health }: ComponentState): ComponentStatus {
  const of = (wanted: string) => [...imposed.values()].filter(({ source }) => source === wanted)
  return effectiveStatus({
    manual,
    incidents: of('incident').map(({ status }) => status),
    maintenances: of('maintenance').map(({ mask_health }) => ({ masksHealth: mask_health })),
    health,
  })
}

export interface ToldUpdate {
  readonly id: string
  readonly status: string
  readonly display_at: string
  readonly body: string
}

const statusAfter: Readonly<Record<string, string>> = {
  IncidentResolved: 'resolved',
  PostmortemPublished: 'postmortem',
  MaintenanceScheduled: 'scheduled',
  MaintenanceRescheduled: 'scheduled',
  MaintenanceStarted: 'in_progress',
  MaintenanceVerifying: 'verifying',
  MaintenanceCompleted: 'completed',
  MaintenanceCancelled: 'completed',
}

interface Told {
  readonly update?: { readonly update_id: string; readonly body: string; readonly display_at: string } | null
  readonly status?: string
  readonly update_id?: string
  readonly body?: string
  readonly display_at?: string
}

/** What was told of an incident or a maintenance, by the events of its stream, as it reads now; oldest first. */
export function updatesOf(events: readonly RecordedDecision[]): ToldUpdate[] {
  const told = new Map<string, ToldUpdate>()
  let status = ''
  for (const { type, data } of events) {
    const { update, update_id, body, display_at, ...said } = data as Told
    status = said.status ?? statusAfter[type] ?? status
    if (update) told.set(update.update_id, { id: update.update_id, status, ...textOf(update) })
    const edited = update_id === undefined ? undefined : told.get(update_id)
    if (edited && body !== undefined && display_at !== undefined) told.set(edited.id, { ...edited, body, display_at })
  }
  return [...told.values()]
}

function textOf({ display_at, body }: { readonly body: string; readonly display_at: string }) {
  return { display_at, body }
}

/** Throws `command_refused` for what is not there. */
export function entryOf(view: StatusView, noun: Noun, id: string): Entry {
  const found = entriesOf(view, noun).find((entry) => entry.id === id)
  if (found !== undefined) return found
  throw new LedgerError('command_refused', `There is no ${noun} ${id} (${noun}_not_found)`, {
    refusal: `${noun}_not_found`,
  })
}
