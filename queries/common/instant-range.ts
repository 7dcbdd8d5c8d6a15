import type { Filter } from '#queries/common/parameters.ts'
import { maxInt64 } from '#src/domain/ledger-time.ts'

/** What conditions on a time leave of it where `eq` means "at or before". Inclusive, ns. */
export interface InstantRange {
  readonly lower: bigint
  readonly upper: bigint
  /** Times that are not wanted. */
  readonly excluded: readonly bigint[]
}

/** Undefined without any condition: the present. */
export function instantRange(filters: readonly Filter<bigint>[]): InstantRange | undefined {
  if (filters.length === 0) return undefined
  let lower = 0n
  let upper = maxInt64
  const excluded: bigint[] = []
  for (const { operator, value } of filters) {
    if (operator === 'ne') excluded.push(value)
    else if (operator === 'gt' || operator === 'gte') {
      const bound = operator === 'gt' ? value + 1n : value
      if (bound > lower) lower = bound
    } else {
      const bound = operator === 'lt' ? value - 1n : value
      if (bound < upper) upper = bound
    }
  }
  return { lower, upper, excluded }
}
