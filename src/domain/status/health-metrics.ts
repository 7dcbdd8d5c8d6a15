import type { HealthLevel, HealthRule } from '#src/domain/status/health-rule.ts'

/** Parts of a deployment that it can watch itself; each is a component of its page. */
export const watchedParts = ['import', 'projections', 'api', 'page'] as const
export type WatchedPart = (typeof watchedParts)[number]

/** Above which values a figure means that a part is degraded, works in part, or does not work; null: never. */
export type Thresholds = readonly [degraded: number | null, partial: number | null, major: number | null]

interface HealthMetric {
  readonly part: WatchedPart
  readonly thresholds: Thresholds
}

/** What is measured, in the unit that the name ends with, and how it is judged unless the configuration says otherwise. */
export const healthMetrics = {
  /** Age of the newest transaction on the log, by the wall clock. */
  importer_lag_seconds: { part: 'import', thresholds: [30, 300, 1_800] },
  /** How long nothing new has come from the source although an importer asks for it; 0 while that is as it should be. */
  source_quiet_seconds: { part: 'import', thresholds: [30, 300, 1_800] },
  /** What importers say that needs a person: a broken chain of hashes, a bad signature, a gap. */
  import_failures: { part: 'import', thresholds: [null, null, 0.5] },
  /** Ledger time that the read model furthest behind lacks. */
  projection_lag_seconds: { part: 'projections', thresholds: [10, 120, null] },
  /** How long one that is behind has not moved, also where somebody paused it. */
  projection_stalled_seconds: { part: 'projections', thresholds: [null, null, 300] },
  /** Share of the last minute's requests that were answered with 5xx. */
  http_error_ratio: { part: 'api', thresholds: [0.01, 0.1, 0.5] },
  /** Share of them that took longer than a second: above 0.05 that is the 95th percentile. */
  http_slow_ratio: { part: 'api', thresholds: [0.05, null, null] },
  /** How long the decision store took to answer. */
  decisions_seconds: { part: 'page', thresholds: [1, 5, null] },
} as const satisfies Readonly<Record<string, HealthMetric>>

export type HealthMetricName = keyof typeof healthMetrics
export const healthMetricNames = Object.keys(healthMetrics) as readonly HealthMetricName[]

/** For how long something has to be so until it counts. */
export interface HealthTimes {
  readonly holdSeconds: number
  readonly recoverSeconds: number
  readonly silenceSeconds: number
}

const statuses = ['degraded_performance', 'partial_outage', 'major_outage'] as const
/** Between this part of the first threshold and the threshold itself a level stays as it is. */
const recoverShare = 0.5

/** The rule of a figure: well again means below half of what was the first sign of trouble. */
export function ruleOf(metric: HealthMetricName, thresholds: Thresholds, times: HealthTimes): HealthRule {
  const levels = statuses.flatMap((status, index): HealthLevel[] => {
    const over = thresholds[index] ?? null
    return over === null ? [] : [{ status, over, forSeconds: times.holdSeconds }]
  })
  return {
    metric,
    levels,
    recoverBelow: (levels[0]?.over ?? 0) * recoverShare,
    recoverForSeconds: times.recoverSeconds,
    silenceAfterSeconds: times.silenceSeconds,
    silenceStatus: 'major_outage',
  }
}
