import { nullableText, objectSchema, text } from '#queries/common/object-schema.ts'
import { componentStatuses, impacts, incidentStatuses, maintenanceStatuses } from '#src/domain/status/words.ts'

const time = { ...text, format: 'date-time', description: 'With the offset of the time zone of the page' }
const timeOrNull = { ...time, nullable: true }
const boolean = { type: 'boolean' }
const nothing = { ...text, nullable: true, description: 'Always null' }
const listOf = (items: object) => ({ type: 'array', items })

const page = objectSchema(
  { id: text, name: text, url: text, time_zone: text, updated_at: time },
  { title: 'StatusPage', description: 'The page, and its newest change' },
)

const status = objectSchema({ indicator: { ...text, enum: impacts }, description: text }, { title: 'PageStatus' })

const componentFields = {
  id: text,
  name: text,
  status: { ...text, enum: componentStatuses },
  created_at: time,
  updated_at: time,
  position: { type: 'integer', description: 'From 1, within its group or among those that are in none' },
  description: nullableText,
  showcase: { ...boolean, description: 'Shown with its uptime' },
  start_date: { ...timeOrNull, description: 'Beginning of the first day that counts for its uptime' },
  group_id: nullableText,
  page_id: text,
  group: boolean,
  only_show_if_degraded: boolean,
}
const concerned = objectSchema(componentFields, { title: 'ConcernedComponent' })
const component = objectSchema(
  { ...componentFields, components: { ...listOf(text), description: 'Ids in order; of groups only' } },
  { title: 'StatusComponent', optional: ['components'] },
)

const affected = objectSchema(
  { code: text, name: text, old_status: text, new_status: text },
  { title: 'AffectedComponent' },
)
const update = objectSchema(
  {
    id: text,
    status: { ...text, enum: [...incidentStatuses, ...maintenanceStatuses] },
    body: text,
    incident_id: text,
    created_at: time,
    updated_at: time,
    display_at: time,
    affected_components: { ...listOf(affected), nullable: true },
    deliver_notifications: boolean,
    custom_tweet: nothing,
    tweet_id: nothing,
  },
  { title: 'IncidentUpdate' },
)

const incidentFields = {
  id: text,
  name: text,
  status: { ...text, enum: incidentStatuses },
  created_at: time,
  updated_at: time,
  monitoring_at: timeOrNull,
  resolved_at: timeOrNull,
  impact: { ...text, enum: impacts },
  shortlink: text,
  started_at: time,
  page_id: text,
  incident_updates: { ...listOf(update), description: 'Newest first' },
  components: listOf(concerned),
  reminder_intervals: nothing,
}
const incident = objectSchema(incidentFields, { title: 'Incident' })
const maintenance = objectSchema(
  {
    ...incidentFields,
    status: { ...text, enum: maintenanceStatuses },
    scheduled_for: time,
    scheduled_until: time,
  },
  { title: 'ScheduledMaintenance' },
)

const parts = {
  components: listOf(component),
  incidents: listOf(incident),
  scheduled_maintenances: listOf(maintenance),
}

export const summarySchema = objectSchema({ page, ...parts, status }, { title: 'StatusSummary' })
export const statusOnlySchema = objectSchema({ page, status }, { title: 'StatusOnly' })
export const componentsSchema = objectSchema({ page, components: parts.components }, { title: 'StatusComponents' })
export const incidentsSchema = objectSchema({ page, incidents: parts.incidents }, { title: 'Incidents' })
export const maintenancesSchema = objectSchema(
  { page, scheduled_maintenances: parts.scheduled_maintenances },
  { title: 'ScheduledMaintenances' },
)

const figure = objectSchema(
  {
    metric: { ...text, description: 'What is measured, with its unit' },
    value: { type: 'number' },
    position: { type: 'integer', nullable: true, description: 'Where that stands in the log, where it has a place' },
    checked_at: time,
  },
  { title: 'HealthFigure' },
)
const measuredComponent = objectSchema(
  {
    component_id: text,
    status: {
      ...text,
      enum: componentStatuses,
      description: 'What the rules say, whatever people and maintenances say',
    },
    figures: listOf(figure),
  },
  { title: 'MeasuredComponent' },
)
export const healthSchema = objectSchema(
  {
    page,
    complete_until: { ...timeOrNull, description: 'Consensus time up to which answers about the ledger are complete' },
    left_out: {
      ...listOf(text),
      description: 'Read models whose answers are older than the others, which do not wait for them',
    },
    components: listOf(measuredComponent),
  },
  { title: 'StatusHealth' },
)

const percent = { type: 'number', nullable: true, minimum: 0, maximum: 100, description: 'null before the first day' }
const minutes = { type: 'number', minimum: 0 }
const day = objectSchema(
  {
    date: { ...text, format: 'date' },
    major_outage_minutes: minutes,
    partial_outage_minutes: minutes,
    uptime: percent,
  },
  { title: 'UptimeDay' },
)
export const uptimeSchema = objectSchema(
  { component_id: text, from: { ...text, format: 'date' }, days: listOf(day), uptime: percent, rule: text },
  { title: 'Uptime' },
)
