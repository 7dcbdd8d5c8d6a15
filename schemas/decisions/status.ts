import { type Static, type TSchema, Type } from '@sinclair/typebox'
import type { StatusEventType } from '#schemas/decisions/status-event-types.ts'
import { automations, componentStatuses, impacts, imposers, openIncidentStatuses } from '#src/domain/status/words.ts'

/**
 * The events of the status page, as JSON schemas with the types that follow from them. Fields are spelled as the public
 * status API spells them. Times are ISO 8601 in UTC with milliseconds. Events carry the whole new truth of what they
 * change, so that a fold never asks what was before.
 */

export const words = <const T extends readonly string[]>(of: T) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...of] })
const object = <P extends Record<string, TSchema>>(properties: P) =>
  Type.Object(properties, { additionalProperties: false })
const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** Stable, never reused. */
export const statusId = Type.String({ pattern: '^[0-9a-z]{12}$' })
export const instant = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$' })
const calendarDay = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' })
const componentStatus = words(componentStatuses)
const impact = words(impacts)

/** Component id -> status. */
const componentStates = Type.Record(Type.String(), componentStatus)

/** What readers see of a step in an incident or a maintenance. */
export const updateText = object({
  update_id: statusId,
  body: Type.String(),
  /** Time shown to readers; may be set back. */
  display_at: instant,
  deliver_notifications: Type.Boolean(),
})

export const componentFields = {
  component_id: statusId,
  name: Type.String(),
  description: orNull(Type.String()),
  showcase: Type.Boolean(),
  start_date: orNull(calendarDay),
  /** Hidden on the HTML page while operational. */
  only_show_if_degraded: Type.Boolean(),
}

/** Why a rule changed the level of a component: what was measured, and when. */
export const evidence = object({
  metric: Type.String(),
  /** null: no sample came. */
  value: orNull(Type.Number()),
  reason: words(['level', 'recovery', 'silence']),
  /** From when on the samples said so. */
  since: instant,
  /** Of the newest sample; null: there was none. */
  checked_at: orNull(instant),
  /** Position of the read model or the importer, where the component has one. */
  position: orNull(Type.Integer()),
  /** Component that failed first and explains this one; null: none known. */
  caused_by: orNull(Type.String()),
})

/** `at`: from when on the fact holds; for a start that the clock caught up, the planned time. */
const incidentStep = { incident_id: statusId, update: updateText, at: instant }
const maintenanceStep = { maintenance_id: statusId, update: updateText, at: instant }

export const statusEventSchemas = {
  PageConfigured: object({
    page_id: statusId,
    name: Type.String(),
    url: Type.String(),
    time_zone: Type.String(),
    /** What `indicator` says while nothing but maintenances is on. */
    maintenance_indicator: words(['maintenance', 'none']),
    /** true: unresolved incidents raise the page's indicator to their impact. */
    incident_floor: Type.Boolean(),
    automation: words(automations),
    /** Uptime of a group: share of time that all were up, or the mean of its components. */
    group_uptime: words(['all_up', 'mean']),
    at: instant,
  }),
  ComponentCreated: object({
    ...componentFields,
    group: Type.Boolean(),
    group_id: orNull(statusId),
    /** From 1, within the parent; those from there on move down. null: behind all others. */
    position: orNull(Type.Integer({ minimum: 1 })),
    at: instant,
  }),
  ComponentUpdated: object({ ...componentFields, at: instant }),
  /** Taken out where it was (those behind it move up), put in at `position` of `group_id` (those from there on move down). */
  ComponentMoved: object({
    component_id: statusId,
    group_id: orNull(statusId),
    position: Type.Integer({ minimum: 1 }),
    at: instant,
  }),
  /** By hand. */
  ComponentStatusSet: object({ component_id: statusId, status: componentStatus, at: instant }),
  ComponentStatusCleared: object({ component_id: statusId, at: instant }),
  ComponentRemoved: object({ component_id: statusId, at: instant }),
  /** Replaces what the same source imposed before. */
  ComponentStatusImposed: object({
    component_id: statusId,
    source: words(imposers),
    source_id: statusId,
    status: componentStatus,
    /** true: what health rules say does not show while it lasts. Only maintenances mask. */
    mask_health: Type.Boolean(),
    at: instant,
  }),
  ComponentStatusReleased: object({
    component_id: statusId,
    source: words(imposers),
    source_id: statusId,
    at: instant,
  }),
  /** By rules over live health; only changes of level. */
  ComponentHealthChanged: object({ component_id: statusId, status: componentStatus, evidence, at: instant }),
  IncidentOpened: object({
    incident_id: statusId,
    name: Type.String(),
    /** `resolved`: a notice of something that is over, told in one step; it names no components. */
    status: words([...openIncidentStatuses, 'resolved']),
    impact,
    components: componentStates,
    /** true: by the process that watches live health, not by a person. */
    automatic: Type.Boolean(),
    update: updateText,
    at: instant,
  }),
  IncidentUpdated: object({
    ...incidentStep,
    status: words(openIncidentStatuses),
    /** Only those that the step changes or adds; the others stay as they were. */
    components: componentStates,
  }),
  IncidentUpdateEdited: object({
    incident_id: statusId,
    update_id: statusId,
    body: Type.String(),
    display_at: instant,
    at: instant,
  }),
  IncidentImpactRaised: object({ incident_id: statusId, impact, at: instant }),
  /** null: the override is removed, and the impact is the worst that the components had. */
  IncidentImpactOverridden: object({ incident_id: statusId, impact: orNull(impact), at: instant }),
  /** Releases all components of the incident. */
  IncidentResolved: object(incidentStep),
  PostmortemPublished: object(incidentStep),
  MaintenanceScheduled: object({
    ...maintenanceStep,
    name: Type.String(),
    components: Type.Array(statusId),
    scheduled_for: instant,
    scheduled_until: instant,
    auto_start: Type.Boolean(),
    auto_complete: Type.Boolean(),
    mask_health: Type.Boolean(),
  }),
  MaintenanceRescheduled: object({
    maintenance_id: statusId,
    scheduled_for: instant,
    scheduled_until: instant,
    /** null: nothing was said to readers. */
    update: orNull(updateText),
    at: instant,
  }),
  /** Says something without changing the state. */
  MaintenanceUpdated: object(maintenanceStep),
  MaintenanceStarted: object(maintenanceStep),
  MaintenanceVerifying: object(maintenanceStep),
  MaintenanceCompleted: object(maintenanceStep),
  /** Shown as completed, with a text that says so. */
  MaintenanceCancelled: object(maintenanceStep),
} as const satisfies Record<StatusEventType, TSchema>

export type StatusEventData<T extends StatusEventType> = Static<(typeof statusEventSchemas)[T]>
export type UpdateText = Static<typeof updateText>
export type HealthEvidence = Static<typeof evidence>
