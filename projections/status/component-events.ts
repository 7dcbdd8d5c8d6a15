import { insertChild, takeOutChild } from '#projections/status/order.ts'
import { pageOf } from '#projections/status/page-rows.ts'
import { statusSchema } from '#projections/status/schema.ts'
import { shownEvidence } from '#projections/status/shown.ts'
import { clearSource, endSources, setSource } from '#projections/status/sources.ts'
import { startOfDay } from '#src/domain/status/zoned-time.ts'
import { defineProjection } from '#src/runtime/fold/projection.ts'

const fields = ['component_id', 'name', 'description', 'showcase', 'start_date', 'only_show_if_degraded', 'at'] as const

/** Components: what they are, where they stand, and what each source says of them. */
export const componentEvents = defineProjection(statusSchema)
  .on('ComponentCreated', {
    reads: [...fields, 'group', 'group_id', 'position'],
    apply: (event, rows) => {
      const { component_id: id, group_id: groupId, at } = event
      const own = { ...ownFields(event, pageOf(rows).timeZone), id, groupId, isGroup: event.group ? 1 : 0 }
      const state = { status: 'operational', sources: '[]', evidence: null, removed: 0, position: 0 }
      const row = { ...own, ...state, created: at, updated: at }
      rows.put('components', row)
      insertChild(rows, row, event.position, at)
    },
  })
  .on('ComponentUpdated', {
    reads: fields,
    apply: (event, rows) => {
      const { component_id, start_date, at } = event
      const row = rows.get('components', component_id)
      if (row === undefined) return
      const stated = ownFields(event, pageOf(rows).timeZone)
      // The page may have moved to another zone since the day was stated.
      const startAt = start_date === row.startDate ? row.startAt : stated.startAt
      rows.put('components', { ...row, ...stated, startAt, updated: at })
    },
  })
  .on('ComponentMoved', {
    reads: ['component_id', 'group_id', 'position', 'at'],
    apply: ({ component_id, group_id: groupId, position, at }, rows) => {
      const row = rows.get('components', component_id)
      if (row === undefined || row.removed) return
      takeOutChild(rows, row, at)
      const moved = { ...row, groupId, updated: at }
      rows.put('components', moved)
      insertChild(rows, moved, position, at)
    },
  })
  .on('ComponentRemoved', {
    reads: ['component_id', 'at'],
    apply: ({ component_id, at }, rows) => {
      const row = rows.get('components', component_id)
      if (row === undefined || row.removed) return
      endSources(rows, row, at)
      rows.put('components', { ...row, sources: '[]', removed: 1, updated: at })
      takeOutChild(rows, row, at)
    },
  })
  .on('ComponentStatusSet', {
    reads: ['component_id', 'status', 'at'],
    apply: ({ component_id, status, at }, rows) => {
      setSource(rows, component_id, { source: 'manual', id: '', status, masks: false, from: at })
    },
  })
  .on('ComponentStatusCleared', {
    reads: ['component_id', 'at'],
    apply: ({ component_id, at }, rows) => {
      clearSource(rows, component_id, { source: 'manual', id: '' }, at)
    },
  })
  .on('ComponentStatusImposed', {
    reads: ['component_id', 'source', 'source_id', 'status', 'mask_health', 'at'],
    apply: ({ component_id, source, source_id: id, status, mask_health: masks, at: from }, rows) => {
      setSource(rows, component_id, { source, id, status, masks, from })
    },
  })
  .on('ComponentStatusReleased', {
    reads: ['component_id', 'source', 'source_id', 'at'],
    apply: ({ component_id, source, source_id: id, at }, rows) => {
      clearSource(rows, component_id, { source, id }, at)
    },
  })
  .on('ComponentHealthChanged', {
    reads: ['component_id', 'status', 'evidence', 'at'],
    apply: ({ component_id, status, evidence, at }, rows) => {
      setSource(rows, component_id, { source: 'health', id: '', status, masks: false, from: at })
      const row = rows.get('components', component_id)
      if (row) rows.put('components', { ...row, evidence: JSON.stringify(shownEvidence(evidence)) })
    },
  })

interface StatedComponent {
  readonly name: string
  readonly description: string | null
  readonly showcase: boolean
  readonly start_date: string | null
  readonly only_show_if_degraded: boolean
}

function ownFields({ name, description, showcase, start_date, only_show_if_degraded }: StatedComponent, zone: string) {
  return {
    name,
    description,
    showcase: showcase ? 1 : 0,
    startDate: start_date,
    startAt: start_date === null ? null : new Date(startOfDay(start_date, zone)).toISOString(),
    onlyIfDegraded: only_show_if_degraded ? 1 : 0,
  }
}
