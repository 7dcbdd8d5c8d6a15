import { invalidParameters } from '#queries/common/errors.ts'
import { combineRange } from '#queries/common/integer-range.ts'
import type { Filter } from '#queries/common/parameters.ts'
import { anySecond, type PairRange } from '#queries/nfts/pair-range.ts'

/** What a request says of one column of a pair. */
export interface PairColumn {
  readonly name: string
  readonly filters: readonly Filter<bigint>[]
}

/** Refuses, in the words of family A, what a column of a pair cannot be given. */
export function assertBounds({ name, filters }: PairColumn): void {
  const given = new Set<string>()
  for (const { operator } of filters) {
    if (operator === 'ne') refuse(`Not equal (ne) operator is not supported for ${name}`)
    const kind = kinds[operator]
    if (given.has(kind)) refuse(`Only one ${kind} operator is allowed for ${name}`)
    given.add(kind)
  }
}

const kinds = {
  eq: 'equal (eq)',
  gt: 'gt/gte',
  gte: 'gt/gte',
  lt: 'lt/lte',
  lte: 'lt/lte',
} as const

/** The pairs that the columns leave: bounds of the second belong to inclusive bounds of the first, or to its only value. */
export function pairRangeOf(first: PairColumn, second: PairColumn): PairRange {
  for (const { name, filters } of [first, second])
    if (filters.length > 1 && has(filters, 'eq')) refuse(`Can't support both range and equal for ${name}`)
  if (first.filters.length === 0 && second.filters.length > 0)
    refuse(`${second.name} without a ${first.name} parameter filter`)
  const isBounded = (...operators: Filter<bigint>['operator'][]) => has(first.filters, 'eq', ...operators)
  if (has(second.filters, 'gt', 'gte') && !isBounded('gte')) refuse(`${first.name} must have gte or eq operator`)
  if (has(second.filters, 'lt', 'lte') && !isBounded('lte')) refuse(`${first.name} must have lte or eq operator`)
  return rangeOf(first.filters, second.filters)
}

/** The range of pairs, of filters that fit each other. */
export function rangeOf(first: readonly Filter<bigint>[], second: readonly Filter<bigint>[]): PairRange {
  const { lower, upper, equal: firsts } = combineRange(first)
  const [only] = firsts
  const { equal: seconds, ...bounds } = combineRange(second)
  return {
    first: only === undefined ? { lower, upper } : { lower: only, upper: only },
    second: second.length === 0 ? anySecond : { lower: bounds.lower, upper: bounds.upper },
    equal: seconds[0],
  }
}

export function has(filters: readonly Filter<bigint>[], ...operators: Filter<bigint>['operator'][]): boolean {
  return filters.some(({ operator }) => operators.includes(operator))
}

function refuse(message: string): never {
  throw invalidParameters([message])
}
