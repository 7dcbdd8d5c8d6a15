import type { CommandOf, CommandType, StatusCommand } from '#commands/status/commands.ts'
import * as component from '#commands/status/decide/component.ts'
import type { DecisionContext } from '#commands/status/decide/context.ts'
import * as incident from '#commands/status/decide/incident.ts'
import * as maintenance from '#commands/status/decide/maintenance.ts'
import { configurePage } from '#commands/status/decide/page.ts'
import type { StatusEvent } from '#commands/status/events.ts'
import { refuse } from '#commands/status/refusals.ts'
import type { StatusView } from '#commands/status/state.ts'
import type { ActorRole } from '#src/ports/decision-store.ts'

type Decider<T extends CommandType> = (
  command: CommandOf<T>,
  view: StatusView,
  context: DecisionContext,
) => readonly StatusEvent[]

const deciders: { readonly [T in CommandType]: Decider<T> } = {
  ConfigurePage: configurePage,
  CreateComponent: component.createComponent,
  UpdateComponent: component.updateComponent,
  MoveComponent: component.moveComponent,
  SetComponentStatus: component.setComponentStatus,
  ClearComponentStatus: component.clearComponentStatus,
  RemoveComponent: component.removeComponent,
  RecordComponentHealth: component.recordComponentHealth,
  OpenIncident: incident.openIncident,
  PostIncidentUpdate: incident.postIncidentUpdate,
  EditIncidentUpdate: incident.editIncidentUpdate,
  OverrideImpact: incident.overrideImpact,
  ResolveIncident: incident.resolveIncident,
  PublishPostmortem: incident.publishPostmortem,
  RecordPastIncident: incident.recordPastIncident,
  ScheduleMaintenance: maintenance.scheduleMaintenance,
  RescheduleMaintenance: maintenance.rescheduleMaintenance,
  UpdateMaintenance: maintenance.updateMaintenance,
  StartMaintenance: maintenance.startMaintenance,
  VerifyMaintenance: maintenance.verifyMaintenance,
  CompleteMaintenance: maintenance.completeMaintenance,
  CancelMaintenance: maintenance.cancelMaintenance,
}

/** Commands that one role alone may send: what is measured is written by no hand, and no program sets up the page. */
const onlyFor: Partial<Record<CommandType, ActorRole>> = {
  RecordComponentHealth: 'automation',
  ConfigurePage: 'operator',
}

/** The events that a command leads to, all of one stream. Throws `CommandRefused`. */
export function decide(command: StatusCommand, view: StatusView, context: DecisionContext): readonly StatusEvent[] {
  const role = onlyFor[command.type] ?? context.role
  if (role !== context.role) refuse('not_permitted', `${command.type} is for the role ${role} only`)
  const decider = deciders[command.type] as Decider<CommandType>
  return decider(command, view, context)
}
