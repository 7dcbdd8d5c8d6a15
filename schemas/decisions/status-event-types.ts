/**
 * Names of the events of the status page, apart from their schemas: every process knows the names, and building the schemas
 * takes longer than most verbs work.
 */
export const statusEventTypes = [
  'PageConfigured',
  'ComponentCreated',
  'ComponentUpdated',
  'ComponentMoved',
  'ComponentStatusSet',
  'ComponentStatusCleared',
  'ComponentRemoved',
  'ComponentStatusImposed',
  'ComponentStatusReleased',
  'ComponentHealthChanged',
  'IncidentOpened',
  'IncidentUpdated',
  'IncidentUpdateEdited',
  'IncidentImpactRaised',
  'IncidentImpactOverridden',
  'IncidentResolved',
  'PostmortemPublished',
  'MaintenanceScheduled',
  'MaintenanceRescheduled',
  'MaintenanceUpdated',
  'MaintenanceStarted',
  'MaintenanceVerifying',
  'MaintenanceCompleted',
  'MaintenanceCancelled',
] as const

export type StatusEventType = (typeof statusEventTypes)[number]
