import type { HealthRule, HealthSample } from '#src/domain/status/health-rule.ts'
import type { ComponentStatus } from '#src/domain/status/words.ts'

/** A figure as it was last measured, and where that stood in its log, where it has a place. */
export interface Measurement extends HealthSample {
  readonly position?: number | undefined
}

/** A component of the page that rules watch. */
export interface WatchedComponent {
  readonly id: string
  readonly rules: readonly HealthRule[]
  /** Components whose trouble explains trouble of this one. */
  readonly dependsOn: readonly string[]
}

/** What a process measured of a component last: more recent than what was decided, and never written down. */
export interface ComponentEvidence {
  readonly component_id: string
  readonly status: ComponentStatus
  /** Those without a sample yet have none. */
  readonly figures: readonly (Measurement & { readonly metric: string })[]
}

export interface LiveHealth {
  readonly components: readonly ComponentEvidence[]
  /** Consensus time (ns) up to which all read models of the ledger are complete; undefined while that is not known. */
  readonly completeUntil: bigint | undefined
  /** Names of read models whose answers are older than the others, which do not wait for them. */
  readonly leftOut: readonly string[]
}
