import { componentEvents } from '#projections/status/component-events.ts'
import { incidentEvents } from '#projections/status/incident-events.ts'
import { maintenanceEvents } from '#projections/status/maintenance-events.ts'
import { pageHead } from '#projections/status/page-head.ts'
import { pageOf } from '#projections/status/page-rows.ts'
import { statusSchema } from '#projections/status/schema.ts'
import { shownAddress, shownZone } from '#projections/status/shown.ts'
import { defineProjection } from '#src/runtime/fold/projection.ts'

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
