import type { HealthEvidence } from '#commands/status/events.ts'
import type { ComponentState } from '#commands/status/state.ts'
import { worstStatus } from '#src/domain/status/effective-status.ts'
import {
  beginRule,
  type HealthChange,
  type HealthRule,
  judge,
  type RuleState,
  takeSample,
} from '#src/domain/status/health-rule.ts'
import type { ComponentEvidence, Measurement, WatchedComponent } from '#src/domain/status/live-health.ts'
import type { ComponentStatus } from '#src/domain/status/words.ts'

interface Judged {
  readonly rule: HealthRule
  state: RuleState
  /** How it came to its level. */
  change: HealthChange
  measurement: Measurement | undefined
}

/** What the rules of one component have seen, and the level that they came to: the worst of theirs. */
export class ComponentWatch {
  readonly watched: WatchedComponent
  readonly #judged: readonly Judged[]

  /** Goes on from what was decided before: a restart changes no level. */
  constructor(watched: WatchedComponent, before: Pick<ComponentState, 'health_change'> | undefined, now: number) {
    this.watched = watched
    const told = before?.health_change
    this.#judged = watched.rules.map((rule, index) => {
      const isOfRule =
        told !== undefined && (told.evidence.metric === rule.metric || (index === 0 && !isKnown(watched, told)))
      const status = isOfRule ? told.status : 'operational'
      const change: HealthChange = { status, reason: 'level', since: now, threshold: 0 }
      return { rule, state: beginRule(rule, status, now), change, measurement: undefined }
    })
  }

  get status(): ComponentStatus {
    return worstStatus(this.#judged.map(({ state }) => state.status))
  }

  /** Takes what was measured, by metric, and judges. */
  take(measurements: ReadonlyMap<string, Measurement>, now: number): void {
    for (const judged of this.#judged) {
      const measurement = measurements.get(judged.rule.metric)
      if (measurement !== undefined) {
        judged.measurement = measurement
        judged.state = takeSample(judged.rule, judged.state, measurement)
      }
      const change = judge(judged.rule, judged.state, now)
      if (change === undefined) continue
      judged.change = change
      judged.state = { ...judged.state, status: change.status }
    }
  }

  /** Why the level is what it is: what the worst rule said last. */
  evidence(causedBy: string | null): HealthEvidence {
    const { status } = this
    const [first] = this.#judged
      .filter(({ state }) => state.status === status)
      .sort((one, other) => other.change.since - one.change.since)
    const { rule, change, measurement } = first!
    return {
      metric: rule.metric,
      value: change.reason === 'silence' ? null : (measurement?.value ?? null),
      reason: change.reason,
      since: new Date(change.since).toISOString(),
      checked_at: measurement === undefined ? null : new Date(measurement.at).toISOString(),
      position: measurement?.position ?? null,
      caused_by: causedBy,
    }
  }

  get live(): ComponentEvidence {
    const figures = this.#judged.flatMap(({ rule: { metric }, measurement }) =>
      measurement ? [{ metric, ...measurement }] : [],
    )
    return { component_id: this.watched.id, status: this.status, figures }
  }
}

/** Whether a level that was told came from one of the rules, and not from rules that are no more. */
function isKnown({ rules }: WatchedComponent, { evidence }: NonNullable<ComponentState['health_change']>): boolean {
  return rules.some(({ metric }) => metric === evidence.metric)
}
