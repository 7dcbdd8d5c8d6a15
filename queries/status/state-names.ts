import type { ComponentStatus } from '#src/domain/status/words.ts'

/** `in_progress` is `In progress`. */
export function stateName(status: string): string {
  const words = status.replaceAll('_', ' ')
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

export const componentStateNames: Readonly<Record<ComponentStatus, string>> = {
  operational: 'Operational',
  under_maintenance: 'Under maintenance',
  degraded_performance: 'Degraded performance',
  partial_outage: 'Partial outage',
  major_outage: 'Major outage',
}
