import type { CommandOf } from '#commands/status/commands.ts'
import {
  assertComponentStatus,
  assertDay,
  assertFree,
  assertName,
  componentOf,
  type DecisionContext,
  leafOf,
} from '#commands/status/decide/context.ts'
import type { StatusEvent } from '#commands/status/events.ts'
import { assertRoom, componentsMax } from '#commands/status/limits.ts'
import { refuse } from '#commands/status/refusals.ts'
import { type ComponentState, isUnresolved, type StatusView } from '#commands/status/state.ts'

export function createComponent(
  command: CommandOf<'CreateComponent'>,
  view: StatusView,
  { now, newId }: DecisionContext,
): StatusEvent[] {
  const { id = newId('component'), group = false, group_id = null, position = null } = command
  const name = assertName(command.name)
  assertFree(view.components, id)
  if (group && group_id !== null) refuse('group_inside_group', 'A group cannot be in a group')
  assertGroup(view, group_id)
  assertRoom(presentOf(view).length, componentsMax, 'components', 'remove one first')
  const { description = null, showcase = true, only_show_if_degraded = false } = command
  const start_date = assertDay(command.start_date ?? null)
  const facts = { name, description, showcase, start_date, only_show_if_degraded }
  return [{ type: 'ComponentCreated', data: { component_id: id, ...facts, group, group_id, position, at: now } }]
}

export function updateComponent(
  { type: _type, id, ...changes }: CommandOf<'UpdateComponent'>,
  view: StatusView,
  { now: at }: DecisionContext,
): StatusEvent[] {
  const { component_id, ...before } = componentOf(view, id)
  const { description, showcase, only_show_if_degraded, ...stated } = { ...before, ...changes }
  const start_date = assertDay(stated.start_date)
  const name = assertName(changes.name ?? before.name)
  const facts = { name, description, showcase, start_date, only_show_if_degraded }
  return [{ type: 'ComponentUpdated', data: { component_id, ...facts, at } }]
}

/** A place behind all others is the last one. */
export function moveComponent(
  { id, group_id: wish, position: place }: CommandOf<'MoveComponent'>,
  view: StatusView,
  { now: at }: DecisionContext,
): StatusEvent[] {
  const component = componentOf(view, id)
  const group_id = wish === undefined ? component.group_id : wish
  if (component.group && group_id !== null) refuse('group_inside_group', 'A group cannot be in a group')
  assertGroup(view, group_id)
  const last = childrenOf(view, group_id).filter((child) => child !== id).length + 1
  const position = Math.min(place ?? last, last)
  return [{ type: 'ComponentMoved', data: { component_id: id, group_id, position, at } }]
}

export function setComponentStatus(
  { id, status }: CommandOf<'SetComponentStatus'>,
  view: StatusView,
  { now: at }: DecisionContext,
): StatusEvent[] {
  const known = assertComponentStatus(status)
  const { component_id } = leafOf(view, id)
  return [{ type: 'ComponentStatusSet', data: { component_id, status: known, at } }]
}

export function clearComponentStatus(
  { id }: CommandOf<'ClearComponentStatus'>,
  view: StatusView,
  { now: at }: DecisionContext,
): StatusEvent[] {
  return [{ type: 'ComponentStatusCleared', data: { component_id: leafOf(view, id).component_id, at } }]
}

export function recordComponentHealth(
  { id, status, evidence }: CommandOf<'RecordComponentHealth'>,
  view: StatusView,
  { now: at }: DecisionContext,
): StatusEvent[] {
  const known = assertComponentStatus(status)
  const { component_id } = leafOf(view, id)
  return [{ type: 'ComponentHealthChanged', data: { component_id, status: known, evidence, at } }]
}

/** It leaves current answers and stays in history. */
export function removeComponent(
  { id }: CommandOf<'RemoveComponent'>,
  view: StatusView,
  { now: at }: DecisionContext,
): StatusEvent[] {
  const { component_id, group } = componentOf(view, id)
  if (group && childrenOf(view, id).length > 0)
    refuse('group_not_empty', `${id} has components; move or remove them first`)
  const user = userOf(view, id)
  if (user !== undefined) refuse('component_in_use', `${id} is named by ${user}, which is not over`)
  return [{ type: 'ComponentRemoved', data: { component_id, at } }]
}

function userOf({ incidents, maintenances }: StatusView, id: string): string | undefined {
  for (const incident of incidents.values())
    if (isUnresolved(incident) && incident.components.has(id)) return `incident ${incident.incident_id}`
  for (const { maintenance_id, status, components } of maintenances.values())
    if (status !== 'completed' && components.includes(id)) return `maintenance ${maintenance_id}`
  return undefined
}

function assertGroup({ components }: StatusView, id: string | null): void {
  if (id === null) return
  const group = components.get(id)
  if (group === undefined || group.removed) refuse('group_not_found', `There is no group ${id}`)
  if (!group.group) refuse('group_not_found', `${id} is no group`)
}

function presentOf({ components }: StatusView): ComponentState[] {
  return [...components.values()].filter(({ removed }) => !removed)
}

function childrenOf(view: StatusView, group_id: string | null): string[] {
  const children = presentOf(view).filter((each) => each.group_id === group_id)
  return children.map(({ component_id }) => component_id)
}
