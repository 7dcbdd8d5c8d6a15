import type { StatusRows } from '#projections/status/page-rows.ts'
import { type ComponentRow, type IncidentRow, statusSchema } from '#projections/status/schema.ts'
import { shownInstant } from '#projections/status/shown.ts'
import { statusWithout } from '#projections/status/sources.ts'
import { affectedBy, concernedBy, putUpdate, type StatedUpdate } from '#projections/status/updates.ts'
import { worstStatus } from '#src/domain/status/effective-status.ts'
import type { ComponentStatus, MaintenanceStatus } from '#src/domain/status/words.ts'
import { defineProjection, type Handler } from '#src/runtime/fold/projection.ts'

const step = ['maintenance_id', 'update', 'actor_role', 'at'] as const
type StepEvent =
  | 'MaintenanceUpdated'
  | 'MaintenanceStarted'
  | 'MaintenanceVerifying'
  | 'MaintenanceCompleted'
  | 'MaintenanceCancelled'

/** Maintenances: their windows, states and steps. What they do to components is in events of the components. */
export const maintenanceEvents = defineProjection(statusSchema)
  .on('MaintenanceScheduled', {
    reads: [...step, 'name', 'components', 'scheduled_for', 'scheduled_until'],
    apply: (event, rows) => {
      const { maintenance_id: id, name, scheduled_for, scheduled_until, at } = event
      const concerned = event.components.map((component) => ({ id: component, status: 'under_maintenance', from: at }))
      const planned: IncidentRow = {
        ...{
          id,
          kind: 'maintenance',
          name,
          phase: 'upcoming',
          status: 'scheduled',
          components: JSON.stringify(concerned),
        },
        ...{ impact: 'maintenance', worstImpact: 'maintenance', impactOverride: null, updates: 0, automatic: 0 },
        ...{ created: at, updated: at, monitoring: null, resolved: null },
        ...windowOf(scheduled_for, scheduled_until),
      }
      rows.put('incidents', advance(rows, planned, event, 'scheduled'))
    },
  })
  .on('MaintenanceRescheduled', {
    reads: [...step, 'scheduled_for', 'scheduled_until'],
    apply: (event, rows) => {
      const row = rows.get('incidents', event.maintenance_id)
      if (row) {
        const moved = { ...row, updated: event.at, ...windowOf(event.scheduled_for, event.scheduled_until) }
        rows.put('incidents', advance(rows, moved, event, 'scheduled'))
      }
    },
  })
  .on('MaintenanceUpdated', stepTo(undefined))
  .on('MaintenanceStarted', stepTo('in_progress'))
  .on('MaintenanceVerifying', stepTo('verifying'))
  .on('MaintenanceCompleted', stepTo('completed'))
  // The public vocabulary has no word for it: the text says so.
  .on('MaintenanceCancelled', stepTo('completed'))

/** A step to a state; to none: the state stays. */
function stepTo(status: MaintenanceStatus | undefined): Handler<typeof statusSchema, StepEvent, (typeof step)[number]> {
  return {
    reads: step,
    apply: (event, rows) => {
      const row = rows.get('incidents', event.maintenance_id)
      if (row) rows.put('incidents', advance(rows, row, event, status ?? (row.status as MaintenanceStatus)))
    },
  }
}

interface MaintenanceStep {
  /** null: nothing was said to readers. */
  readonly update: StatedUpdate | null
  readonly actor_role: string
  readonly at: string
}

const phases: Readonly<Record<MaintenanceStatus, string>> = {
  scheduled: 'upcoming',
  in_progress: 'active',
  verifying: 'active',
  completed: 'past',
}

function advance(
  rows: StatusRows,
  row: IncidentRow,
  { update, actor_role, at }: MaintenanceStep,
  status: MaintenanceStatus,
) {
  const ids = concernedBy(row).map(({ id }) => id)
  const affected = affectedBy(rows, ids, (component) => ({
    old_status: component.status,
    new_status: statusAfter(component, row, status),
  }))
  const facts = { status, at, affected, automatic: actor_role === 'automation' || actor_role === 'clock' }
  const stepped = update === null ? row : putUpdate(rows, row, update, facts)
  const resolved = row.resolved ?? (status === 'completed' ? at : null)
  return { ...stepped, phase: phases[status], resolved }
}

/** How a component is once the maintenance has got there: its own events follow this one. */
function statusAfter(
  component: ComponentRow,
  { id, status: before }: IncidentRow,
  status: MaintenanceStatus,
): ComponentStatus {
  if (status === 'completed' && before !== 'scheduled') return statusWithout(component, { source: 'maintenance', id })
  const now = component.status as ComponentStatus
  return status === 'in_progress' ? worstStatus([now, 'under_maintenance']) : now
}

function windowOf(scheduled_for: string, scheduled_until: string) {
  const scheduledFor = shownInstant(scheduled_for)
  return { scheduledFor, scheduledUntil: shownInstant(scheduled_until), sortsBy: scheduledFor }
}
