import type { CommandOf } from '#commands/status/commands.ts'
import {
  assertFree,
  assertName,
  bodyOf,
  type DecisionContext,
  instantOf,
  shownAt,
  statesOf,
  updateTextOf,
} from '#commands/status/decide/context.ts'
import type { StatusEvent } from '#commands/status/events.ts'
import { assertRoom, openIncidentsMax, updatesMax } from '#commands/status/limits.ts'
import { refuse } from '#commands/status/refusals.ts'
import { type IncidentState, isUnresolved, type StatusView } from '#commands/status/state.ts'
import { impactOf } from '#src/domain/status/effective-status.ts'
import {
  type Impact,
  impacts,
  incidentStatuses,
  type OpenIncidentStatus,
  openIncidentStatuses,
} from '#src/domain/status/words.ts'

/** What readers are told where nobody wrote anything. */
const stock: Readonly<Record<OpenIncidentStatus | 'resolved', string>> = {
  investigating: 'We are looking into this.',
  identified: 'We know the cause and are working on it.',
  monitoring: 'A fix is in place and we are watching.',
  resolved: 'The incident is over.',
}

export function openIncident(
  command: CommandOf<'OpenIncident'> & { readonly automatic?: boolean },
  view: StatusView,
  context: DecisionContext,
): StatusEvent[] {
  const { incident_id = context.newId('incident'), automatic = false } = command
  const name = assertName(command.name)
  const status = assertOpenStatus(command.status ?? 'investigating')
  const components = statesOf(view, command.components)
  assertFree(view.incidents, incident_id)
  const open = [...view.incidents.values()].filter(isUnresolved).length
  assertRoom(open, openIncidentsMax, 'open incidents', 'resolve one first')
  const update = updateTextOf(command, stock[status], context)
  const impact = impactOf(Object.values(components))
  const at = context.now
  return [{ type: 'IncidentOpened', data: { incident_id, name, status, impact, components, automatic, update, at } }]
}

export function postIncidentUpdate(
  command: CommandOf<'PostIncidentUpdate'>,
  view: StatusView,
  context: DecisionContext,
): StatusEvent[] {
  const incident = incidentOf(view, command.incident_id)
  const before = assertUnresolved(incident)
  const status = assertOpenStatus(command.status ?? before)
  const components = statesOf(view, command.components)
  assertRoom(incident.updates.size, updatesMax, 'updates', 'resolve the incident, and open another one for the rest')
  const update = updateTextOf(command, stock[status], context, { opened: incident.started_at })
  const { incident_id } = incident
  return [{ type: 'IncidentUpdated', data: { incident_id, status, components, update, at: context.now } }]
}

export function editIncidentUpdate(
  { update_id, ...command }: CommandOf<'EditIncidentUpdate'>,
  view: StatusView,
  { now }: DecisionContext,
): StatusEvent[] {
  const { incident_id, updates, started_at } = incidentOf(view, command.incident_id)
  const before =
    updates.get(update_id) ?? refuse('update_not_found', `Incident ${incident_id} has no update ${update_id}`)
  const body = bodyOf(command, undefined)
  // The opening itself may be set back further.
  const [first] = updates.keys()
  const opened = update_id === first ? undefined : started_at
  const display_at = command.display_at === undefined ? before : shownAt(command.display_at, now, opened)
  return [{ type: 'IncidentUpdateEdited', data: { incident_id, update_id, body, display_at, at: now } }]
}

export function overrideImpact(
  { incident_id: id, impact }: CommandOf<'OverrideImpact'>,
  view: StatusView,
  { now: at }: DecisionContext,
): StatusEvent[] {
  const { incident_id } = incidentOf(view, id)
  if (impact !== null && !(impacts as readonly string[]).includes(impact))
    refuse('unknown_impact', `"${impact}" is none of ${impacts.join(', ')}`)
  return [{ type: 'IncidentImpactOverridden', data: { incident_id, impact: impact as Impact | null, at } }]
}

export function resolveIncident(
  command: CommandOf<'ResolveIncident'>,
  view: StatusView,
  context: DecisionContext,
): StatusEvent[] {
  const incident = incidentOf(view, command.incident_id)
  assertUnresolved(incident)
  const update = updateTextOf(command, stock.resolved, context, { opened: incident.started_at })
  return [{ type: 'IncidentResolved', data: { incident_id: incident.incident_id, update, at: context.now } }]
}

export function publishPostmortem(
  command: CommandOf<'PublishPostmortem'>,
  view: StatusView,
  context: DecisionContext,
): StatusEvent[] {
  const incident = incidentOf(view, command.incident_id)
  const { incident_id, status, started_at } = incident
  if (isUnresolved(incident)) refuse('incident_not_resolved', `Incident ${incident_id} is ${status}; resolve it first`)
  if (status === 'postmortem')
    refuse('postmortem_already_published', `Incident ${incident_id} has its postmortem; edit that update`)
  const update = updateTextOf(command, undefined, context, { opened: started_at })
  return [{ type: 'PostmortemPublished', data: { incident_id, update, at: context.now } }]
}

/** One that is over, with the times at which things happened: it never held a component, so nothing is released. */
export function recordPastIncident(
  command: CommandOf<'RecordPastIncident'>,
  view: StatusView,
  { now, newId }: DecisionContext,
): StatusEvent[] {
  const { incident_id = newId('incident') } = command
  const name = assertName(command.name)
  assertFree(view.incidents, incident_id)
  const steps = command.updates.map(({ components, ...step }, index) => {
    const display_at = shownAt(
      step.display_at,
      now,
      index === 0 ? undefined : instantOf(command.updates[index - 1]!.display_at),
    )
    const update = {
      update_id: newId(`update ${index}`),
      body: bodyOf(step, undefined),
      display_at,
      deliver_notifications: false,
    }
    return { status: step.status, components: statesOf(view, components), update, at: display_at }
  })
  const [first, last] = [steps[0], steps.at(-1)]
  const isNotice = steps.length === 1 && Object.keys(first?.components ?? {}).length === 0
  if (first === undefined || last?.status !== 'resolved' || (steps.length === 1 && !isNotice))
    refuse(
      'past_incident_incomplete',
      'A past incident needs "resolved" as its last update, and an opening before it where it names components',
    )
  const impact = impactOf(steps.flatMap(({ components }) => Object.values(components)))
  const { components, update, at } = first
  const opening = { incident_id, name, impact, components, automatic: false, update, at } as const
  if (isNotice) return [{ type: 'IncidentOpened', data: { ...opening, status: 'resolved' } }]
  return [
    { type: 'IncidentOpened', data: { ...opening, status: assertOpenStatus(first.status) } },
    ...steps.slice(1, -1).map((step): StatusEvent => {
      return { type: 'IncidentUpdated', data: { incident_id, ...step, status: assertOpenStatus(step.status) } }
    }),
    { type: 'IncidentResolved', data: { incident_id, update: last.update, at: last.at } },
  ]
}

function incidentOf({ incidents }: StatusView, id: string): IncidentState {
  return incidents.get(id) ?? refuse('incident_not_found', `There is no incident ${id}`)
}

function assertUnresolved(incident: IncidentState): OpenIncidentStatus {
  if (isUnresolved(incident)) return incident.status as OpenIncidentStatus
  return refuse('incident_already_resolved', `Incident ${incident.incident_id} is ${incident.status}`)
}

function assertOpenStatus(word: string): OpenIncidentStatus {
  if ((openIncidentStatuses as readonly string[]).includes(word)) return word as OpenIncidentStatus
  if ((incidentStatuses as readonly string[]).includes(word))
    return refuse('status_needs_its_own_command', `An incident becomes ${word} by the command for that`)
  return refuse('status_not_for_incidents', `"${word}" is none of ${openIncidentStatuses.join(', ')}`)
}
