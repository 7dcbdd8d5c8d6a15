import type { StatusEventData } from '#schemas/decisions/status.ts'
import type { StatusEventType } from '#schemas/decisions/status-event-types.ts'

export type { HealthEvidence, StatusEventData, UpdateText } from '#schemas/decisions/status.ts'
export { type StatusEventType, statusEventTypes } from '#schemas/decisions/status-event-types.ts'

/** An event of the status page as it is decided and folded. */
export type StatusEvent = {
  readonly [T in StatusEventType]: { readonly type: T; readonly data: StatusEventData<T> }
}[StatusEventType]

/** Aggregates, and how their streams are named. */
const statusStreams = {
  page: (id: string) => `statuspage-${id}`,
  component: (id: string) => `component-${id}`,
  incident: (id: string) => `incident-${id}`,
  maintenance: (id: string) => `maintenance-${id}`,
} as const

/** The stream that an event belongs to: each has the id of exactly one aggregate. */
export function streamOf({ data }: StatusEvent): string {
  if ('page_id' in data) return statusStreams.page(data.page_id)
  if ('component_id' in data) return statusStreams.component(data.component_id)
  if ('incident_id' in data) return statusStreams.incident(data.incident_id)
  return statusStreams.maintenance(data.maintenance_id)
}
