import { type ComponentStatus, type Impact, impacts } from '#src/domain/status/words.ts'

/** What the page says as a whole. */
export interface PageStatus {
  readonly indicator: Impact
  readonly description: PageDescription
}

type PageDescription =
  | 'All Systems Operational'
  | 'Partially Degraded Service'
  | 'Degraded System Service'
  | 'Minor Service Outage'
  | 'Partial System Outage'
  | 'Major System Outage'
  | 'Service Under Maintenance'

export interface RollupSettings {
  /** What the indicator says while maintenances are all there is: some consumers know no `maintenance`. */
  readonly maintenanceIndicator: 'maintenance' | 'none'
  /** Whether unresolved incidents raise the indicator to the worst of their impacts. */
  readonly incidentFloor: boolean
}

/**
 * The page's status from all components that are no groups, and from the impacts of its unresolved incidents. Those count
 * only where the page says so, or has nothing else to judge by.
 */
export function pageStatus(
  leaves: readonly ComponentStatus[],
  incidents: readonly Impact[],
  { maintenanceIndicator, incidentFloor }: RollupSettings,
): PageStatus {
  const byLeaves = statusOfLeaves(leaves)
  const floor = incidentFloor || leaves.length === 0 ? statusOfImpacts(incidents) : byLeaves
  const status = impacts.indexOf(floor.indicator) > impacts.indexOf(byLeaves.indicator) ? floor : byLeaves
  return status.indicator === 'maintenance' ? { ...status, indicator: maintenanceIndicator } : status
}

/** The first line that fits. */
function statusOfLeaves(leaves: readonly ComponentStatus[]): PageStatus {
  const some = (status: ComponentStatus): boolean => leaves.includes(status)
  const all = (status: ComponentStatus): boolean => leaves.length > 0 && leaves.every((leaf) => leaf === status)
  if (all('major_outage')) return { indicator: 'critical', description: 'Major System Outage' }
  if (some('major_outage') || all('partial_outage')) return { indicator: 'major', description: 'Partial System Outage' }
  if (some('partial_outage')) return { indicator: 'minor', description: 'Minor Service Outage' }
  if (all('degraded_performance')) return { indicator: 'minor', description: 'Degraded System Service' }
  if (some('degraded_performance')) return { indicator: 'minor', description: 'Partially Degraded Service' }
  if (some('under_maintenance')) return { indicator: 'maintenance', description: 'Service Under Maintenance' }
  return { indicator: 'none', description: 'All Systems Operational' }
}

const descriptionOfImpact: Readonly<Record<Impact, PageDescription>> = {
  none: 'All Systems Operational',
  maintenance: 'Service Under Maintenance',
  minor: 'Partially Degraded Service',
  major: 'Partial System Outage',
  critical: 'Major System Outage',
}

function statusOfImpacts(incidents: readonly Impact[]): PageStatus {
  let worst = 0
  for (const impact of incidents) worst = Math.max(worst, impacts.indexOf(impact))
  const indicator = impacts[worst]!
  return { indicator, description: descriptionOfImpact[indicator] }
}
