import type { ComponentStatus } from '#src/domain/status/words.ts'

/** A value that is too great for so long means so much. */
export interface HealthLevel {
  readonly status: ComponentStatus
  readonly over: number
  readonly forSeconds: number
}

/** How one measured figure is judged. */
export interface HealthRule {
  /** What is measured, with its unit: `importer_lag_seconds`. */
  readonly metric: string
  /** From the mildest to the worst, with ascending thresholds. */
  readonly levels: readonly HealthLevel[]
  /** What is below this for so long is well again; between this and the first level, a level stays as it is. */
  readonly recoverBelow: number
  readonly recoverForSeconds: number
  /** So long without a sample, and that is the trouble: what nobody measures is not well. */
  readonly silenceAfterSeconds: number
  readonly silenceStatus: ComponentStatus
}

export interface HealthSample {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly value: number
}

/** Why a level holds, as of when it was reached. */
export interface HealthChange {
  readonly status: ComponentStatus
  readonly reason: 'level' | 'recovery' | 'silence'
  /** From when on the samples said so; milliseconds since the epoch. */
  readonly since: number
  /** Threshold that was passed; that of recovery where it is well again. */
  readonly threshold: number
}

/** What a rule remembers of its samples. */
export interface RuleState {
  readonly status: ComponentStatus
  /** Newest sample; undefined before the first. */
  readonly sample: HealthSample | undefined
  /** When samples were first waited for. */
  readonly begun: number
  /** Since when all samples are above the threshold of each level; undefined for levels that they are not above. */
  readonly overSince: readonly (number | undefined)[]
  /** Since when none is above it. */
  readonly underSince: readonly (number | undefined)[]
  readonly recoveredSince: number | undefined
}

const msPerSecond = 1_000

/** A rule that has seen no sample, of a component that was as told. */
export function beginRule(rule: HealthRule, status: ComponentStatus, at: number): RuleState {
  const unknown = rule.levels.map(() => undefined)
  return { status, sample: undefined, begun: at, overSince: unknown, underSince: unknown, recoveredSince: undefined }
}

export function takeSample(rule: HealthRule, before: RuleState, sample: HealthSample): RuleState {
  const { levels, recoverBelow } = rule
  const { at, value } = sample
  // What was so before a silence need not have been so throughout.
  const state = isSilent(rule, before, at) ? beginRule(rule, before.status, at) : before
  const sinceWhen = (holds: boolean, since: number | undefined): number | undefined =>
    holds ? (since ?? at) : undefined
  return {
    ...state,
    sample,
    overSince: levels.map(({ over }, index) => sinceWhen(value > over, state.overSince[index])),
    underSince: levels.map(({ over }, index) => sinceWhen(value <= over, state.underSince[index])),
    recoveredSince: sinceWhen(value < recoverBelow, state.recoveredSince),
  }
}

/** What the samples up to now lead to; undefined where the level stays. Silence and hold times pass without samples, too. */
export function judge(rule: HealthRule, state: RuleState, now: number): HealthChange | undefined {
  const { silenceAfterSeconds, silenceStatus, recoverBelow: threshold, recoverForSeconds } = rule
  const heard = heardAt(state)
  if (isSilent(rule, state, now))
    return silenceStatus === state.status
      ? undefined
      : { status: silenceStatus, reason: 'silence', since: heard, threshold: silenceAfterSeconds }
  // Without a sample nothing is told of now, so hold times end with the newest one.
  const held = (since: number | undefined, seconds: number): since is number =>
    since !== undefined && heard - since >= seconds * msPerSecond
  const worse = worseLevel(rule, state, held)
  if (worse !== undefined) return worse
  if (state.status === 'operational') return undefined
  const since = state.recoveredSince
  if (held(since, recoverForSeconds)) return { status: 'operational', reason: 'recovery', since, threshold }
  return milderLevel(rule, state, held)
}

function heardAt({ sample, begun }: RuleState): number {
  return sample?.at ?? begun
}

function isSilent({ silenceAfterSeconds }: HealthRule, state: RuleState, now: number): boolean {
  return now - heardAt(state) >= silenceAfterSeconds * msPerSecond
}

type Held = (since: number | undefined, seconds: number) => since is number

function worseLevel({ levels }: HealthRule, { status, overSince }: RuleState, held: Held): HealthChange | undefined {
  for (let index = levels.length - 1; index > levelIndex(levels, status); index--) {
    const { status: reached, over: threshold, forSeconds } = levels[index]!
    const since = overSince[index]
    if (held(since, forSeconds)) return { status: reached, reason: 'level', since, threshold }
  }
  return undefined
}

/** Better, but not well: above a milder level, and not above the next one, for as long as a recovery takes. */
function milderLevel(
  rule: HealthRule,
  { status, overSince, underSince }: RuleState,
  held: Held,
): HealthChange | undefined {
  const { levels, recoverForSeconds } = rule
  for (let index = levelIndex(levels, status) - 1; index >= 0; index--) {
    const { status: reached, over } = levels[index]!
    const next = levels[index + 1]
    // Above the worst level there is only silence.
    const since = next === undefined ? overSince[index] : underSince[index + 1]
    if (held(overSince[index], recoverForSeconds) && held(since, recoverForSeconds))
      return { status: reached, reason: 'recovery', since, threshold: next?.over ?? over }
  }
  return undefined
}

/** -1 where all is well. What no level says came from silence, and is worse than all of them. */
function levelIndex(levels: readonly HealthLevel[], status: ComponentStatus): number {
  if (status === 'operational') return -1
  const index = levels.findIndex((level) => level.status === status)
  return index === -1 ? levels.length : index
}
