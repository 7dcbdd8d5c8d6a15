import { invalidParameters } from '#queries/common/errors.ts'
import type { Filter } from '#queries/common/parameters.ts'
import type { LedgerError } from '#src/domain/errors.ts'

/** What a request says of one of two columns that a list is in the order of: one value, or a bound at either end. */
interface ColumnBounds {
  readonly name: string
  readonly equal: Filter<bigint> | undefined
  readonly lower: Filter<bigint> | undefined
  readonly upper: Filter<bigint> | undefined
}

/** A place between rows: the second column counts only among rows of the first one's value. */
export interface ColumnPair {
  readonly first: bigint
  readonly second: bigint
}

/** Inclusive bounds of a list in the order of two columns. */
export interface PairRange {
  readonly lower: ColumnPair
  readonly upper: ColumnPair
}

const complaint = (text: string): LedgerError => invalidParameters([text])

/** Each value once; refuses what would be a second one of its kind, in the order given. */
export function boundsOf(name: string, filters: readonly Filter<bigint>[]): ColumnBounds {
  const bounds: { -readonly [K in 'equal' | 'lower' | 'upper']: Filter<bigint> | undefined } = {
    equal: undefined,
    lower: undefined,
    upper: undefined,
  }
  for (const filter of filters) {
    const kind = kindOf(name, filter)
    if (bounds[kind] !== undefined) throw complaint(`Only one ${kindNames[kind]} operator is allowed for ${name}`)
    bounds[kind] = filter
  }
  return { name, ...bounds }
}

const kindNames = { equal: 'equal (eq)', lower: 'gt/gte', upper: 'lt/lte' } as const

function kindOf(name: string, { operator }: Filter<bigint>): keyof typeof kindNames {
  if (operator === 'ne') throw complaint(`Not equal (ne) operator is not supported for ${name}`)
  if (operator === 'eq') return 'equal'
  return operator === 'gt' || operator === 'gte' ? 'lower' : 'upper'
}

/** Refuses a second column whose bounds no bounds of the first one give a meaning. */
export function assertPair(first: ColumnBounds, second: ColumnBounds): void {
  for (const { name, equal, lower, upper } of [first, second])
    if (equal && (lower || upper)) throw complaint(`Can't support both range and equal for ${name}`)
  if (isEmpty(first) && !isEmpty(second)) throw complaint(`${second.name} without a ${first.name} parameter filter`)
  if (second.lower && !first.equal && first.lower?.operator !== 'gte')
    throw complaint(`${first.name} must have gte or eq operator`)
  if (second.upper && !first.equal && first.upper?.operator !== 'lte')
    throw complaint(`${first.name} must have lte or eq operator`)
}

function isEmpty({ equal, lower, upper }: ColumnBounds): boolean {
  return equal === undefined && lower === undefined && upper === undefined
}

/**
 * The range of both. Bounds of the second column hold at the ends of the first one only, a value that it must equal holds for
 * one value of the first. Values are from 0 to `max`.
 */
export function pairRangeOf(first: ColumnBounds, second: ColumnBounds, max: bigint): PairRange {
  const ends = inclusive(first, max)
  const seconds = inclusive(second, max)
  return {
    lower: { first: ends.lower, second: seconds.lower },
    upper: { first: ends.upper, second: seconds.upper },
  }
}

function inclusive({ equal, lower, upper }: ColumnBounds, max: bigint): { lower: bigint; upper: bigint } {
  if (equal) return { lower: equal.value, upper: equal.value }
  const below = lower ? lower.value + (lower.operator === 'gt' ? 1n : 0n) : 0n
  const above = upper ? upper.value - (upper.operator === 'lt' ? 1n : 0n) : max
  return { lower: below, upper: above }
}

export function comparePairs(one: ColumnPair, other: ColumnPair): number {
  if (one.first !== other.first) return one.first < other.first ? -1 : 1
  return one.second < other.second ? -1 : one.second > other.second ? 1 : 0
}

export function isWithin(pair: ColumnPair, { lower, upper }: PairRange): boolean {
  return comparePairs(lower, pair) <= 0 && comparePairs(pair, upper) <= 0
}
