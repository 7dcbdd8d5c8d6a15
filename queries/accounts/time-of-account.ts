import { min } from '#queries/common/bigints.ts'
import type { Filter } from '#queries/common/parameters.ts'
import { type Range, type Selection, selectionOf } from '#queries/common/range.ts'

export interface AccountTime {
  readonly range: Range & Pick<Selection, 'excluded'>
  /** The instant that balances are told of; undefined: the present. */
  readonly instant: bigint | undefined
}

/**
 * When an account is asked about: a single time is the last one of a range, and several of them count by the earliest.
 * Undefined when nothing is in the range; without any filter it is the present, which `now` bounds.
 */
export function timeOfAccount(filters: readonly Filter<bigint>[], now: bigint): AccountTime | undefined {
  const { lower, upper, hasUpper, equal, excluded } = selectionOf(filters)
  if (lower > upper) return undefined
  const single = equal.length === 0 ? undefined : equal.reduce(min)
  const instant = single === undefined ? (hasUpper ? upper : undefined) : min(single, upper)
  return { range: { lower, upper: instant === undefined ? now : min(instant, now), excluded }, instant }
}
