import { type ComponentStatus, componentStatuses, type Impact, impacts } from '#src/domain/status/words.ts'

/** What holds for a component, by where it comes from; each source is set and released apart from the others. */
export interface StatusSources {
  /** By hand; undefined: not set. */
  readonly manual: ComponentStatus | undefined
  /** By unresolved incidents. */
  readonly incidents: readonly ComponentStatus[]
  /** By maintenances in progress or verifying: whether each masks what health rules say. */
  readonly maintenances: readonly { readonly masksHealth: boolean }[]
  /** By health rules; undefined: there are none. */
  readonly health: ComponentStatus | undefined
}

/**
 * What people said comes first, unless it is that all is well; then a maintenance, since what is being worked on is
 * expected to fail; then what the rules measured. Where no maintenance masks health, the worse of the two shows.
 */
export function effectiveStatus({ manual, incidents, maintenances, health }: StatusSources): ComponentStatus {
  const said = worstStatus([...(manual ? [manual] : []), ...incidents])
  if (said !== 'operational') return said
  const measured = health ?? 'operational'
  if (maintenances.length === 0) return measured
  const masked = maintenances.some(({ masksHealth }) => masksHealth)
  return masked ? 'under_maintenance' : worstStatus(['under_maintenance', measured])
}

/** `operational` of none. */
export function worstStatus(statuses: Iterable<ComponentStatus>): ComponentStatus {
  let worst = 0
  for (const status of statuses) worst = Math.max(worst, componentStatuses.indexOf(status))
  return componentStatuses[worst]!
}

const impactOfStatus: Readonly<Record<ComponentStatus, Impact>> = {
  operational: 'none',
  under_maintenance: 'maintenance',
  degraded_performance: 'minor',
  partial_outage: 'major',
  major_outage: 'critical',
}

/** Impact of an incident whose components have, at worst, these statuses. */
export function impactOf(statuses: Iterable<ComponentStatus>): Impact {
  return impactOfStatus[worstStatus(statuses)]
}

export function worseImpact(one: Impact, other: Impact): Impact {
  return impacts.indexOf(one) < impacts.indexOf(other) ? other : one
}
