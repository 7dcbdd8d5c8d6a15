import { componentEvents } from '#projections/status/component-events.ts'
import { incidentEvents } from '#projections/status/incident-events.ts'
import { maintenanceEvents } from '#projections/status/maintenance-events.ts'
import { later, pageOf } from '#projections/status/page-rows.ts'
import { type StatusSchema, statusSchema } from '#projections/status/schema.ts'
import { shownAddress, shownInstant, shownZone } from '#projections/status/shown.ts'
import { type StatusEventType, statusEventTypes } from '#schemas/decisions/status-event-types.ts'
import { defineProjection, type Handler } from '#src/runtime/fold/projection.ts'

const fields = ['at', 'stream', 'revision', 'digest'] as const

/** Every event changes the page: notes when, and by which. */
const noting: Handler<StatusSchema, StatusEventType, (typeof fields)[number]> = {
  reads: fields,
  apply: ({ at, stream, revision, digest }, rows, { sequence }) => {
    const page = pageOf(rows)
    const head = { position: BigInt(sequence), headStream: stream, headRevision: revision, headDigest: digest }
    rows.put('pages', { ...page, ...head, updated: later(page.updated, shownInstant(at)) })
  },
}

/** What the page was made from last. */
const pageHead = statusEventTypes.reduce(
  (projection, type) => projection.on(type, noting),
  defineProjection(statusSchema),
)

/** The status page, from the decisions about it. It shows what it can, whatever a release has once written down. */
export const statusProjection = defineProjection(statusSchema, { passesOver: true })
  .embed(pageHead)
  .on('PageConfigured', {
    reads: ['page_id', 'name', 'url', 'time_zone', 'maintenance_indicator', 'incident_floor', 'group_uptime'],
    apply: (event, rows) => {
      const { page_id: id, name, group_uptime: groupUptime } = event
      const [url, timeZone] = [shownAddress(event.url), shownZone(event.time_zone)]
      const { maintenance_indicator: maintenanceIndicator, incident_floor } = event
      const settings = { maintenanceIndicator, incidentFloor: incident_floor ? 1 : 0, groupUptime }
      rows.put('pages', { ...pageOf(rows), id, name, url, timeZone, ...settings })
    },
  })
  .embed(componentEvents)
  .embed(incidentEvents)
  .embed(maintenanceEvents)
