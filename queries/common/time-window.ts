import type { Filter } from '#queries/common/parameters.ts'
import { maxInt64 } from '#src/domain/ledger-time.ts'

/** Inclusive window of times (ns) that filters leave together, where `eq` means at or before. */
export function timeWindow(filters: readonly Filter<bigint>[]): { readonly lower: bigint; readonly upper: bigint } {
  let lower = 0n
  let upper = maxInt64
  for (const { operator, value } of filters) {
    if (operator === 'gt' && value + 1n > lower) lower = value + 1n
    else if (operator === 'gte' && value > lower) lower = value
    else if (operator === 'lt' && value - 1n < upper) upper = value - 1n
    else if ((operator === 'lte' || operator === 'eq') && value < upper) upper = value
  }
  return { lower, upper }
}

/** Inclusive, ns. */
export interface OpenWindow {
  readonly lower: bigint
  /** undefined: the present. */
  readonly upper: bigint | undefined
}

/** The same in family B: where two values bound one side the later one counts. */
export function lastWindow(filters: readonly Filter<bigint>[]): OpenWindow {
  let lower = 0n
  let upper: bigint | undefined
  for (const { operator, value } of filters) {
    if (operator === 'gt' || operator === 'gte') lower = operator === 'gt' ? value + 1n : value
    else upper = operator === 'lt' ? value - 1n : value
  }
  return { lower, upper }
}
