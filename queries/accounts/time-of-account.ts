import { min } from '#queries/common/bigints.ts'
import type { TimeRange } from '#queries/common/find-version.ts'
import { combineRange } from '#queries/common/integer-range.ts'
import type { Filter } from '#queries/common/parameters.ts'

export interface AccountTime {
  readonly range: TimeRange & { readonly excluded: readonly bigint[] }
  /** The instant that balances are told of; undefined: the present. */
  readonly instant: bigint | undefined
}

/**
 * When an account is asked about: a single time is the last one of a range, and several of them count by the earliest.
 * Undefined when nothing is in the range; without any filter it is the present, which `now` bounds.
 */
export function timeOfAccount(filters: readonly Filter<bigint>[], now: bigint): AccountTime | undefined {
  const { lower, upper, hasUpper, equal, excluded } = combineRange(filters)
  if (lower > upper) return undefined
  const single = equal.length === 0 ? undefined : equal.reduce(min)
  const instant = single === undefined ? (hasUpper ? upper : undefined) : min(single, upper)
  return { range: { lower, upper: instant === undefined ? now : min(instant, now), excluded }, instant }
}
