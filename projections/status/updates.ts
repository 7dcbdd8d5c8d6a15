import type { AffectedComponent, ConcernedComponent } from '#projections/status/packing.ts'
import { pack, unpack } from '#projections/status/packing.ts'
import type { StatusRows } from '#projections/status/page-rows.ts'
import type { ComponentRow, IncidentRow } from '#projections/status/schema.ts'
import { shownInstant } from '#projections/status/shown.ts'
import { richHtml } from '#src/domain/status/rich-text.ts'

/** What the events say of a step. */
export interface StatedUpdate {
  readonly update_id: string
  readonly body: string
  readonly display_at: string
  readonly deliver_notifications: boolean
}

export interface UpdateFacts {
  readonly status: string
  readonly at: string
  readonly affected: readonly AffectedComponent[]
  readonly automatic: boolean
}

/** Writes down a step, and gives the incident as it stands with it. */
export function putUpdate(
  rows: StatusRows,
  incident: IncidentRow,
  { update_id: id, body, display_at, deliver_notifications }: StatedUpdate,
  { status, at, affected, automatic }: UpdateFacts,
): IncidentRow {
  const number = incident.updates + 1
  const displayAt = shownInstant(display_at)
  const shown = { status, body, html: richHtml(body), displayAt, affected: affected.length > 0 ? pack(affected) : null }
  const flags = { deliver: deliver_notifications ? 1 : 0, automatic: automatic ? 1 : 0 }
  rows.put('updates', { incident: incident.id, id, number, created: at, updated: at, ...shown, ...flags })
  return { ...incident, status, updated: at, updates: number }
}

/** One entry per component that is still there, with what it changes from and to. */
export function affectedBy(
  rows: StatusRows,
  ids: readonly string[],
  change: (row: ComponentRow) => Pick<AffectedComponent, 'old_status' | 'new_status'>,
): AffectedComponent[] {
  return ids.flatMap((id) => {
    const row = rows.get('components', id)
    return row === undefined ? [] : [{ code: id, name: fullName(rows, row), ...change(row) }]
  })
}

function fullName(rows: StatusRows, { name, groupId }: ComponentRow): string {
  const group = groupId === null ? undefined : rows.get('components', groupId)
  return group === undefined ? name : `${group.name} - ${name}`
}

export function concernedBy({ components }: Pick<IncidentRow, 'components'>): ConcernedComponent[] {
  return unpack<ConcernedComponent>(components)
}
