import type { Filter } from '#queries/common/parameters.ts'
import { maxInt64 } from '#src/domain/ledger-time.ts'

/** What the filters of one ordered integer column leave: inclusive bounds, further equal values and exclusions. */
export interface IntegerRange {
  /** Inclusive; the least that there can be when no lower bound was given. */
  readonly lower: bigint
  /** Inclusive; 2^63-1 when no upper bound was given. A given one may lie above. */
  readonly upper: bigint
  readonly hasLower: boolean
  readonly hasUpper: boolean
  /** Values given with `eq`, without repetitions. */
  readonly equal: readonly bigint[]
  readonly excluded: readonly bigint[]
}

/** Combines all filters of a column with no values below `least`: lower bounds to the largest, upper bounds to the smallest. */
export function combineRange(filters: readonly Filter<bigint>[], least = 0n): IntegerRange {
  let lower = least
  let upper = maxInt64
  let hasLower = false
  let hasUpper = false
  const equal = new Set<bigint>()
  const excluded = new Set<bigint>()
  for (const { operator, value } of filters) {
    if (operator === 'eq') equal.add(value)
    else if (operator === 'ne') {
      // What no stored number can be needs no exclusion.
      if (value <= maxInt64) excluded.add(value)
    } else if (operator === 'gt' || operator === 'gte') {
      const bound = operator === 'gt' ? value + 1n : value
      hasLower = true
      if (bound > lower) lower = bound
    } else {
      const bound = operator === 'lt' ? value - 1n : value
      if (!hasUpper || bound < upper) upper = bound
      hasUpper = true
    }
  }
  return { lower, upper, hasLower, hasUpper, equal: [...equal], excluded: [...excluded] }
}

/** The range with its `eq` values applied: all must agree. Undefined when nothing can match. */
export function requireEqual(range: IntegerRange): IntegerRange | undefined {
  const [value, ...others] = range.equal
  if (others.length > 0) return undefined
  const lower = value !== undefined && value > range.lower ? value : range.lower
  const upper = value !== undefined && value < range.upper ? value : range.upper
  return lower > upper ? undefined : { ...range, lower, upper }
}
