import { draftIdOf } from '#commands/status/command-ids.ts'
import { bodyOf, incidentName, stableBody } from '#commands/status/health/texts.ts'
import type { DueCommand } from '#commands/status/maintenance-clock.ts'
import {
  type ComponentState,
  type IncidentState,
  isActive,
  isUnresolved,
  type MaintenanceState,
} from '#commands/status/state.ts'
import type { StatusBook } from '#commands/status/status-book.ts'
import { type ComponentStatus, componentStatuses } from '#src/domain/status/words.ts'

/** When incidents are opened and closed by what the rules find. */
export interface IncidentPolicy {
  /** The mildest level that opens one. */
  readonly openAt: ComponentStatus
  /** So long after an automatic incident of a component, no other one is opened for it. */
  readonly coolDownSeconds: number
  /** So long all has to be well until an incident is over. */
  readonly stableSeconds: number
  /** Where incidents are only proposed: a major outage of this length is published all the same. */
  readonly publishAfterSeconds: number
}

export type HealthBook = Pick<
  StatusBook,
  'page' | 'components' | 'incidents' | 'maintenances' | 'commandOf' | 'hasTold'
>
export type ChangedComponent = ComponentState & { readonly health_change: NonNullable<ComponentState['health_change']> }

const msPerSecond = 1_000
/** The mildest level that readers are told of, where a deployment says nothing else. */
export const openingLevel: ComponentStatus = 'degraded_performance'

/**
 * The next thing to do about incidents, by what was decided alone: each change of level leads to one command at most, under
 * an id that follows from it, so that a restart, or another process, does nothing twice. Components are asked in the
 * given order: what explains others comes first.
 */
export function nextIncidentCommand(
  book: HealthBook,
  order: readonly string[],
  policy: IncidentPolicy,
  now: number,
): DueCommand | undefined {
  if ((book.page?.automation ?? 'propose') === 'components') return undefined
  for (const id of order) {
    const component = book.components.get(id)
    if (component === undefined || !hasChanged(component)) continue
    if (isTold(book, component)) continue
    const command_id = changeId(component)
    const command = commandFor(book, component, policy, now)
    if (command !== undefined) return { command, command_id }
  }
  for (const incident of book.incidents.values()) {
    if (!isOver(book, incident, policy, now)) continue
    const { incident_id, last } = incident
    const command = { type: 'ResolveIncident', incident_id, body: stableBody } as const
    return { command, command_id: `health/${incident_id}/${last.at}` }
  }
  return undefined
}

/** Of what the rules say to readers of a change of level. */
function changeId({ component_id, health_change }: ChangedComponent): string {
  return `health/${component_id}/${health_change.at}`
}

/** Of the same, where a person says it. */
export function draftId({ component_id, health_change }: ChangedComponent): string {
  return draftIdOf(component_id, health_change.at)
}

/** Whether readers were told of a change of level, whoever told them. */
export function isTold(book: Pick<HealthBook, 'commandOf' | 'hasTold'>, component: ChangedComponent): boolean {
  return book.commandOf(changeId(component)) !== undefined || book.hasTold(draftId(component), component.component_id)
}

function commandFor(book: HealthBook, component: ChangedComponent, policy: IncidentPolicy, now: number) {
  const incident = openIncidentOf(book, component)
  if (isLess(component.health_change.status, policy.openAt))
    return incident && isOurs(incident) && incident.components.has(component.component_id)
      ? improved(book, component, incident)
      : undefined
  if (isMasked(book, component)) return undefined
  if (incident !== undefined) return isOurs(incident) ? worsened(book, component, incident) : undefined
  return mayOpen(book, component, policy, now) ? opened(book, component) : undefined
}

export function opened(book: HealthBook, component: ChangedComponent) {
  const { component_id, health_change: change } = component
  const components = { [component_id]: change.status }
  const body = bodyOf(component, change, causeOf(book, component))
  const name = incidentName(component, change)
  return { type: 'OpenIncident', automatic: true, name, components, body } as const
}

/** A silence tells nothing of what readers see, so it raises no impact. */
export function worsened(
  book: HealthBook,
  component: ChangedComponent,
  { incident_id, status: before }: IncidentState,
) {
  const { component_id, health_change: change } = component
  const components = change.evidence.reason === 'silence' ? {} : { [component_id]: change.status }
  const status = before === 'monitoring' ? 'investigating' : before
  const body = bodyOf(component, change, causeOf(book, component))
  return { type: 'PostIncidentUpdate', incident_id, status, components, body } as const
}

export function improved(
  { components: all }: HealthBook,
  component: ChangedComponent,
  { incident_id, status: before, components }: IncidentState,
) {
  const { component_id, health_change: change } = component
  const isWell = (id: string): boolean => (all.get(id)?.health ?? 'operational') === 'operational'
  const status = [...components.keys()].every(isWell) ? 'monitoring' : before
  const body = bodyOf(component, change, undefined)
  return {
    type: 'PostIncidentUpdate',
    incident_id,
    status,
    components: { [component_id]: change.status },
    body,
  } as const
}

/**
 * One that is open and tells of the component, of what explains its trouble, or of another of its group. Those that people
 * opened, or took over, come first: whatever happens is theirs to tell.
 */
export function openIncidentOf(book: HealthBook, component: ChangedComponent): IncidentState | undefined {
  const { component_id, group_id } = component
  const related = new Set([component_id, component.health_change.evidence.caused_by])
  const isOfGroup = (id: string): boolean => group_id !== null && book.components.get(id)?.group_id === group_id
  const open = [...book.incidents.values()].filter(
    (incident) =>
      isUnresolved(incident) && [...incident.components.keys()].some((id) => related.has(id) || isOfGroup(id)),
  )
  return open.find((incident) => !isOurs(incident)) ?? open[0]
}

/** Nobody has posted to it but the rules. */
export function isOurs({ automatic, taken_over }: IncidentState): boolean {
  return automatic && !taken_over
}

function mayOpen(
  book: HealthBook,
  { component_id, health_change }: ChangedComponent,
  policy: IncidentPolicy,
  now: number,
): boolean {
  const { coolDownSeconds, publishAfterSeconds } = policy
  const isCooling = [...book.incidents.values()].some(
    (incident) =>
      incident.automatic &&
      incident.components.has(component_id) &&
      now - Date.parse(incident.last.at) < coolDownSeconds * msPerSecond,
  )
  if (isCooling) return false
  if (book.page?.automation === 'open') return true
  const { status, at } = health_change
  return status === 'major_outage' && now - Date.parse(at) >= publishAfterSeconds * msPerSecond
}

function isOver(
  { components: all }: HealthBook,
  incident: IncidentState,
  { stableSeconds }: IncidentPolicy,
  now: number,
) {
  const { status, components, last } = incident
  if (!isOurs(incident) || status !== 'monitoring') return false
  const isWell = (id: string): boolean => (all.get(id)?.health ?? 'operational') === 'operational'
  return [...components.keys()].every(isWell) && now - Date.parse(last.at) >= stableSeconds * msPerSecond
}

/** What is being worked on is expected to fail. */
export function isMasked({ maintenances }: HealthBook, { component_id }: ChangedComponent): boolean {
  const masks = (each: MaintenanceState): boolean =>
    isActive(each) && each.mask_health && each.components.includes(component_id)
  return [...maintenances.values()].some(masks)
}

function causeOf({ components }: HealthBook, { health_change }: ChangedComponent): ComponentState | undefined {
  const { caused_by } = health_change.evidence
  return caused_by === null ? undefined : components.get(caused_by)
}

export function hasChanged(component: ComponentState): component is ChangedComponent {
  return !component.removed && component.health_change !== undefined
}

export function isLess(one: ComponentStatus, other: ComponentStatus): boolean {
  return componentStatuses.indexOf(one) < componentStatuses.indexOf(other)
}
