/** The closed sets of words of the public status API, spelled as its documents spell them. */

/** In order of severity. */
export const componentStatuses = [
  'operational',
  'under_maintenance',
  'degraded_performance',
  'partial_outage',
  'major_outage',
] as const
export type ComponentStatus = (typeof componentStatuses)[number]

/** What an incident can be while it is open. */
export const openIncidentStatuses = ['investigating', 'identified', 'monitoring'] as const
export const incidentStatuses = [...openIncidentStatuses, 'resolved', 'postmortem'] as const
export type OpenIncidentStatus = (typeof openIncidentStatuses)[number]
export type IncidentStatus = (typeof incidentStatuses)[number]

export const maintenanceStatuses = ['scheduled', 'in_progress', 'verifying', 'completed'] as const
export type MaintenanceStatus = (typeof maintenanceStatuses)[number]

/** In order of severity. */
export const impacts = ['none', 'maintenance', 'minor', 'major', 'critical'] as const
export type Impact = (typeof impacts)[number]

/** What imposes a status on components, and releases it. */
export const imposers = ['incident', 'maintenance'] as const
export type Imposer = (typeof imposers)[number]

/** `components`: rules change component states only. `propose`: an incident waits for a person. `open`: published at once. */
export const automations = ['components', 'propose', 'open'] as const
export type Automation = (typeof automations)[number]
