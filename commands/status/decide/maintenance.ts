import type { CommandOf } from '#commands/status/commands.ts'
import {
  assertFree,
  assertName,
  bodyOf,
  type DecisionContext,
  instantOf,
  leafOf,
  type Said,
  updateTextOf,
} from '#commands/status/decide/context.ts'
import type { StatusEvent, UpdateText } from '#commands/status/events.ts'
import { assertRoom, openMaintenancesMax, updatesMax } from '#commands/status/limits.ts'
import { refuse } from '#commands/status/refusals.ts'
import { isActive, type MaintenanceState, type StatusView } from '#commands/status/state.ts'

/** What readers are told where nobody wrote anything. */
const stock = {
  scheduled: 'We plan this maintenance for the time shown.',
  in_progress: 'The maintenance has begun.',
  verifying: 'The work is done and is being checked.',
  completed: 'The maintenance is finished.',
  cancelled: 'The maintenance is cancelled and does not take place.',
} as const

export function scheduleMaintenance(
  command: CommandOf<'ScheduleMaintenance'>,
  view: StatusView,
  context: DecisionContext,
): StatusEvent[] {
  const { maintenance_id = context.newId('maintenance'), auto_start = true, auto_complete = true } = command
  const name = assertName(command.name)
  const planned = windowOf(command, context)
  const components = (command.components ?? []).map((id) => leafOf(view, id).component_id)
  assertFree(view.maintenances, maintenance_id)
  const open = [...view.maintenances.values()].filter(({ status }) => status !== 'completed').length
  assertRoom(open, openMaintenancesMax, 'maintenances that are not over', 'complete or cancel one first')
  const update = updateTextOf(command, stock.scheduled, context)
  const facts = { maintenance_id, name, components, ...planned, auto_start, auto_complete }
  const { mask_health = true } = command
  return [{ type: 'MaintenanceScheduled', data: { ...facts, mask_health, update, at: context.now } }]
}

export function rescheduleMaintenance(
  command: CommandOf<'RescheduleMaintenance'>,
  view: StatusView,
  context: DecisionContext,
): StatusEvent[] {
  const { maintenance_id, updates } = assertPlanned(maintenanceOf(view, command.maintenance_id))
  const planned = windowOf(command, context)
  assertRoom(updates, updatesMax, 'updates', 'start or cancel the maintenance')
  const update = command.body === undefined ? null : updateTextOf(command, undefined, context)
  return [{ type: 'MaintenanceRescheduled', data: { maintenance_id, ...planned, update, at: context.now } }]
}

export function updateMaintenance(
  command: CommandOf<'UpdateMaintenance'>,
  view: StatusView,
  context: DecisionContext,
): StatusEvent[] {
  const { maintenance_id, updates } = assertUnfinished(maintenanceOf(view, command.maintenance_id))
  assertRoom(updates, updatesMax, 'updates', 'end the maintenance')
  const update = updateTextOf(command, undefined, context)
  return [{ type: 'MaintenanceUpdated', data: { maintenance_id, update, at: context.now } }]
}

/** Begun by the clock, it says the planned time, however late the clock was. */
export function startMaintenance(
  command: CommandOf<'StartMaintenance'>,
  view: StatusView,
  context: DecisionContext,
): StatusEvent[] {
  const { maintenance_id, scheduled_for } = assertPlanned(maintenanceOf(view, command.maintenance_id))
  const step = stepAt(command, stock.in_progress, context, scheduled_for)
  return [{ type: 'MaintenanceStarted', data: { maintenance_id, ...step } }]
}

export function verifyMaintenance(
  command: CommandOf<'VerifyMaintenance'>,
  view: StatusView,
  context: DecisionContext,
): StatusEvent[] {
  const { maintenance_id, status } = assertBegun(maintenanceOf(view, command.maintenance_id))
  if (status === 'verifying') refuse('maintenance_already_verifying', `Maintenance ${maintenance_id} is being verified`)
  const update = updateTextOf(command, stock.verifying, context)
  return [{ type: 'MaintenanceVerifying', data: { maintenance_id, update, at: context.now } }]
}

export function completeMaintenance(
  command: CommandOf<'CompleteMaintenance'>,
  view: StatusView,
  context: DecisionContext,
): StatusEvent[] {
  const { maintenance_id, scheduled_until } = assertBegun(maintenanceOf(view, command.maintenance_id))
  const step = stepAt(command, stock.completed, context, scheduled_until)
  return [{ type: 'MaintenanceCompleted', data: { maintenance_id, ...step } }]
}

export function cancelMaintenance(
  command: CommandOf<'CancelMaintenance'>,
  view: StatusView,
  context: DecisionContext,
): StatusEvent[] {
  const { maintenance_id } = assertPlanned(maintenanceOf(view, command.maintenance_id))
  const update = updateTextOf(command, stock.cancelled, context)
  return [{ type: 'MaintenanceCancelled', data: { maintenance_id, update, at: context.now } }]
}

function stepAt(
  said: Said,
  text: string,
  context: DecisionContext,
  planned: string,
): { update: UpdateText; at: string } {
  if (context.role !== 'clock') return { update: updateTextOf(said, text, context), at: context.now }
  if (planned > context.now) refuse('maintenance_not_due', `It is planned for ${planned}, and it is ${context.now}`)
  const update = { update_id: context.newId('update'), body: bodyOf(said, text), display_at: planned }
  return { update: { ...update, deliver_notifications: true }, at: planned }
}

function windowOf(
  given: { readonly scheduled_for: string; readonly scheduled_until: string },
  { now }: DecisionContext,
): { scheduled_for: string; scheduled_until: string } {
  const scheduled_for = instantOf(given.scheduled_for)
  const scheduled_until = instantOf(given.scheduled_until)
  if (scheduled_until <= scheduled_for)
    refuse('window_ends_before_start', `The end ${scheduled_until} is not after the beginning ${scheduled_for}`)
  if (scheduled_until <= now) refuse('window_in_the_past', `The end ${scheduled_until} is not after now (${now})`)
  return { scheduled_for, scheduled_until }
}

function maintenanceOf({ maintenances }: StatusView, id: string): MaintenanceState {
  return maintenances.get(id) ?? refuse('maintenance_not_found', `There is no maintenance ${id}`)
}

function assertUnfinished(maintenance: MaintenanceState): MaintenanceState {
  const { maintenance_id, status } = maintenance
  return status === 'completed'
    ? refuse('maintenance_already_completed', `Maintenance ${maintenance_id} is over`)
    : maintenance
}

function assertPlanned(maintenance: MaintenanceState): MaintenanceState {
  const { maintenance_id } = assertUnfinished(maintenance)
  return isActive(maintenance)
    ? refuse('maintenance_already_started', `Maintenance ${maintenance_id} has begun`)
    : maintenance
}

function assertBegun(maintenance: MaintenanceState): MaintenanceState {
  const { maintenance_id } = assertUnfinished(maintenance)
  return isActive(maintenance)
    ? maintenance
    : refuse('maintenance_not_started', `Maintenance ${maintenance_id} has not begun; start or cancel it`)
}
