import type { AffectedComponent, ConcernedComponent } from '#projections/status/packing.ts'
import { pack } from '#projections/status/packing.ts'
import type { StatusRows } from '#projections/status/page-rows.ts'
import { type IncidentRow, statusSchema } from '#projections/status/schema.ts'
import { shownInstant } from '#projections/status/shown.ts'
import { putSpan } from '#projections/status/sources.ts'
import { affectedBy, concernedBy, putUpdate } from '#projections/status/updates.ts'
import { impactOf, worseImpact } from '#src/domain/status/effective-status.ts'
import { richHtml } from '#src/domain/status/rich-text.ts'
import type { ComponentStatus, Impact } from '#src/domain/status/words.ts'
import { defineProjection } from '#src/runtime/fold/projection.ts'

/** Component id -> status. */
type Named = Readonly<Record<string, ComponentStatus>>

const step = ['incident_id', 'update', 'actor_role', 'at'] as const

/** Incidents: their states and steps, and how their components were meanwhile. */
export const incidentEvents = defineProjection(statusSchema)
  .on('IncidentOpened', {
    reads: [...step, 'name', 'status', 'impact', 'components', 'automatic'],
    apply: (event, rows) => {
      const { incident_id: id, name, status, impact, at, automatic } = event
      const times = { created: at, updated: at, sortsBy: at, scheduledFor: null, scheduledUntil: null }
      const impacts = { impact, worstImpact: impact, impactOverride: null }
      const opened: IncidentRow = {
        ...{ id, kind: 'incident', name, status, components: '[]', updates: 0, automatic: automatic ? 1 : 0 },
        ...times,
        ...impacts,
        ...reached(undefined, status, at),
      }
      rows.put('incidents', advance(rows, opened, event, status, event.components))
    },
  })
  .on('IncidentUpdated', {
    reads: [...step, 'status', 'components'],
    apply: (event, rows) => {
      const row = rows.get('incidents', event.incident_id)
      if (row) rows.put('incidents', advance(rows, row, event, event.status, event.components))
    },
  })
  .on('IncidentResolved', {
    reads: step,
    apply: (event, rows) => {
      const row = rows.get('incidents', event.incident_id)
      const over: Named = Object.fromEntries((row ? held(row) : []).map(({ id }) => [id, 'operational']))
      if (row) rows.put('incidents', advance(rows, row, event, 'resolved', over))
    },
  })
  .on('PostmortemPublished', {
    reads: step,
    apply: (event, rows) => {
      const row = rows.get('incidents', event.incident_id)
      if (row) rows.put('incidents', advance(rows, row, event, 'postmortem', {}))
    },
  })
  .on('IncidentUpdateEdited', {
    reads: ['incident_id', 'update_id', 'body', 'display_at', 'at'],
    apply: ({ incident_id, update_id, body, display_at, at: updated }, rows) => {
      const displayAt = shownInstant(display_at)
      const row = rows.get('incidents', incident_id)
      const update = rows.get('updates', incident_id, update_id)
      if (row) rows.put('incidents', { ...row, updated })
      if (update) rows.put('updates', { ...update, body, html: richHtml(body), displayAt, updated })
    },
  })
  .on('IncidentImpactRaised', {
    reads: ['incident_id', 'impact', 'at'],
    apply: ({ incident_id, impact: raised, at: updated }, rows) => {
      const row = rows.get('incidents', incident_id)
      if (row) rows.put('incidents', { ...row, worstImpact: raised, impact: row.impactOverride ?? raised, updated })
    },
  })
  .on('IncidentImpactOverridden', {
    reads: ['incident_id', 'impact', 'at'],
    apply: ({ incident_id, impact: impactOverride, at: updated }, rows) => {
      const row = rows.get('incidents', incident_id)
      const impact = impactOverride ?? row?.worstImpact
      if (row && impact) rows.put('incidents', { ...row, impactOverride, impact, updated })
    },
  })

interface IncidentStep {
  readonly update: Parameters<typeof putUpdate>[2]
  readonly actor_role: string
  readonly at: string
}

/** The incident one step on: in the state that the step says, with the components that it names. */
function advance(
  rows: StatusRows,
  row: IncidentRow,
  { update, actor_role, at }: IncidentStep,
  status: string,
  named: Named,
) {
  const affected = affectedNow(rows, row, named)
  const components = pack(changeComponents(rows, row, named, at))
  const facts = { status, at, affected, automatic: actor_role === 'automation' }
  const worstImpact = worseImpact(row.worstImpact as Impact, impactOf(Object.values(named)))
  return { ...putUpdate(rows, row, update, facts), components, worstImpact, ...reached(row, status, at) }
}

function reached(row: IncidentRow | undefined, status: string, at: string) {
  const isPast = status === 'resolved' || status === 'postmortem'
  return {
    phase: isPast ? 'past' : 'open',
    monitoring: row?.monitoring ?? (status === 'monitoring' ? at : null),
    resolved: row?.resolved ?? (isPast ? at : null),
  }
}

function held(row: IncidentRow): ConcernedComponent[] {
  return concernedBy(row).filter(({ status }) => status !== 'operational')
}

/** A step tells of the components that it names and of those that the incident holds: how they were, and are now. */
function affectedNow(rows: StatusRows, row: IncidentRow, named: Named): AffectedComponent[] {
  const before = new Map(held(row).map(({ id, status }) => [id, status]))
  const ids = new Set([...before.keys(), ...Object.keys(named)])
  return affectedBy(rows, [...ids], (component) => {
    const old_status = before.get(component.id) ?? component.status
    return { old_status, new_status: named[component.id] ?? old_status }
  })
}

/** History of the components is told by the incident: it may be of the past. */
function changeComponents(rows: StatusRows, row: IncidentRow, named: Named, at: string): ConcernedComponent[] {
  const known = new Map(concernedBy(row).map((component) => [component.id, component]))
  for (const [id, status] of Object.entries(named)) {
    const before = known.get(id)
    if (before?.status === status) continue
    if (before) putSpan(rows, id, { ...before, source: 'incident', id: row.id, masks: false }, at)
    known.set(id, { id, status, from: at })
  }
  return [...known.values()]
}
