import type { StatusEvent, StatusEventData, UpdateText } from '#commands/status/events.ts'
import {
  type Cause,
  type ComponentState,
  type IncidentState,
  imposedKey,
  type MaintenanceState,
} from '#commands/status/state.ts'
import { impactOf, worseImpact } from '#src/domain/status/effective-status.ts'
import type { ComponentStatus, MaintenanceStatus } from '#src/domain/status/words.ts'

/** A component after an event of its stream; undefined before its first. */
export function evolveComponent(state: ComponentState | undefined, { type, data }: StatusEvent): ComponentState {
  if (type === 'ComponentCreated') {
    const { at: _at, position: _position, ...facts } = data
    return {
      ...facts,
      removed: false,
      manual: undefined,
      health: undefined,
      health_change: undefined,
      imposed: new Map(),
    }
  }
  const component = known(state, type)
  switch (type) {
    case 'ComponentUpdated': {
      const { at: _at, ...facts } = data
      return { ...component, ...facts }
    }
    case 'ComponentMoved':
      return { ...component, group_id: data.group_id }
    case 'ComponentStatusSet':
      return { ...component, manual: data.status }
    case 'ComponentStatusCleared':
      return { ...component, manual: undefined }
    case 'ComponentRemoved':
      return { ...component, removed: true }
    case 'ComponentHealthChanged':
      return { ...component, health: data.status, health_change: data }
    case 'ComponentStatusImposed': {
      const { source, source_id, status, mask_health } = data
      const imposition = { source, source_id, status, mask_health }
      return { ...component, imposed: new Map(component.imposed).set(imposedKey(imposition), imposition) }
    }
    case 'ComponentStatusReleased': {
      const imposed = new Map(component.imposed)
      imposed.delete(imposedKey(data))
      return { ...component, imposed }
    }
    default:
      throw strange(type, 'component')
  }
}

function opened(
  { incident_id, name, status, automatic, impact, update, ...data }: StatusEventData<'IncidentOpened'>,
  last: Cause,
): IncidentState {
  const components = new Map(Object.entries(data.components))
  return {
    incident_id,
    name,
    status,
    automatic,
    taken_over: false,
    started_at: update.display_at,
    components,
    imposes: automatic ? new Map() : components,
    worst: impact,
    impact,
    override: null,
    updates: withText(new Map(), update),
    last,
  }
}

/** An incident after an event of its stream; undefined before its first. */
export function evolveIncident(
  state: IncidentState | undefined,
  { type, data }: StatusEvent,
  cause: Omit<Cause, 'at'>,
): IncidentState {
  const last = { ...cause, at: data.at }
  if (type === 'IncidentOpened') return opened(data, last)
  const before = known(state, type)
  const isByHand = cause.actor_role === 'operator'
  const incident: IncidentState = { ...before, last, taken_over: before.taken_over || (before.automatic && isByHand) }
  switch (type) {
    case 'IncidentUpdated': {
      const changes = Object.entries(data.components)
      const components = new Map([...incident.components, ...changes])
      const imposes = incident.automatic && !isByHand ? incident.imposes : new Map([...incident.imposes, ...changes])
      const worst = worseImpact(incident.worst, impactOf(changes.map(([, status]) => status)))
      return {
        ...incident,
        status: data.status,
        components,
        imposes,
        worst,
        updates: withText(incident.updates, data.update),
      }
    }
    case 'IncidentUpdateEdited': {
      const updates = withText(incident.updates, data)
      const [started_at = incident.started_at] = updates.values()
      return { ...incident, updates, started_at }
    }
    case 'IncidentImpactRaised':
      return { ...incident, impact: data.impact }
    case 'IncidentImpactOverridden':
      return { ...incident, override: data.impact }
    case 'IncidentResolved':
      return { ...over(incident), status: 'resolved', updates: withText(incident.updates, data.update) }
    case 'PostmortemPublished':
      return { ...incident, status: 'postmortem', updates: withText(incident.updates, data.update) }
    default:
      throw strange(type, 'incident')
  }
}

/** It concerns no component any more; one of the rules' keeps them, for the time after it. */
function over(incident: IncidentState): IncidentState {
  const none: ReadonlyMap<string, ComponentStatus> = new Map()
  return { ...incident, imposes: none, ...(!incident.automatic && { components: none }) }
}

function withText(
  updates: IncidentState['updates'],
  { update_id, display_at }: Pick<UpdateText, 'update_id' | 'display_at'>,
): IncidentState['updates'] {
  return new Map(updates).set(update_id, display_at)
}

const statusAfter: Readonly<Record<string, MaintenanceStatus>> = {
  MaintenanceStarted: 'in_progress',
  MaintenanceVerifying: 'verifying',
  MaintenanceCompleted: 'completed',
  MaintenanceCancelled: 'completed',
}

/** A maintenance after an event of its stream; undefined before its first. */
export function evolveMaintenance(
  state: MaintenanceState | undefined,
  { type, data }: StatusEvent,
  cause: Omit<Cause, 'at'>,
): MaintenanceState {
  const last = { ...cause, at: data.at }
  if (type === 'MaintenanceScheduled') {
    const { at: _at, update: _update, ...facts } = data
    return { ...facts, status: 'scheduled', updates: 1, last }
  }
  const before = known(state, type)
  const updates = before.updates + 1
  if (type === 'MaintenanceRescheduled') {
    const { scheduled_for, scheduled_until } = data
    return { ...before, scheduled_for, scheduled_until, updates, last }
  }
  return { ...before, status: statusAfter[type] ?? before.status, updates, last }
}

function known<S>(state: S | undefined, type: string): S {
  if (state === undefined) throw new Error(`A stream begins with ${type}`)
  return state
}

function strange(type: string, aggregate: string): Error {
  return new Error(`${type} is no event of a ${aggregate}`)
}
