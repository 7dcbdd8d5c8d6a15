import { type ConcernedComponent, unpack } from '#projections/status/packing.ts'
import {
  type ComponentRow,
  type IncidentRow,
  pageSlot,
  type StatusSchema,
  topParent,
} from '#projections/status/schema.ts'
import type { WantedRows } from '#src/runtime/fold/projection.ts'

type Wanted = WantedRows<StatusSchema>

export function wantPage(rows: Wanted): void {
  rows.want('pages', pageSlot)
}

/** All that stands beside each other, and the group that it stands in. */
export function wantChildren(rows: Wanted, groupId: string | null): void {
  const parent = rows.want('parents', groupId ?? topParent)
  for (const id of unpack<string>(parent?.children ?? '[]')) rows.want('components', id)
  if (groupId !== null) wantNamed(rows, groupId)
}

/** A component, and what changes or is named with it. */
export function wantFamily(rows: Wanted, id: string): ComponentRow | undefined {
  wantPage(rows)
  const component = rows.want('components', id)
  if (component) wantChildren(rows, component.groupId)
  return component
}

/** A component with the group that is part of its full name, and the place where that stands. */
function wantNamed(rows: Wanted, id: string): void {
  const component = rows.want('components', id)
  if (component?.groupId) rows.want('components', component.groupId)
}

/** An incident or maintenance, and the components that it concerns or will concern. */
export function wantIncident(rows: Wanted, id: string, named: readonly string[] = []): IncidentRow | undefined {
  const incident = rows.want('incidents', id)
  const known = unpack<ConcernedComponent>(incident?.components ?? '[]').map((component) => component.id)
  for (const component of [...known, ...named]) wantNamed(rows, component)
  return incident
}
