import { max, min } from '#queries/common/bigints.ts'
import { invalidParameters } from '#queries/common/errors.ts'
import type { Filter, Operator, Order } from '#queries/common/parameters.ts'
import { maxInt64 } from '#src/domain/ledger-time.ts'

/** From one value to another, both included; nothing where the lower is above the upper. */
export interface Range<T = bigint> {
  readonly lower: T
  readonly upper: T
}

/** What the conditions on an ordered column leave: what lies between the bounds and is not excluded, of a set where one is given. */
export interface Selection extends Range {
  /** Whether a bound was given; else it is the least, or the greatest, that there can be. A given upper one may lie above that. */
  readonly hasLower: boolean
  readonly hasUpper: boolean
  /** The set: values given with `eq`, each once; empty where none was. */
  readonly equal: readonly bigint[]
  readonly excluded: readonly bigint[]
}

type Condition = Filter<bigint>

/** Combines all conditions on a column whose values are not below `least`: lower bounds to the largest, upper bounds to the smallest. */
export function selectionOf(filters: readonly Condition[], least = 0n, greatest = maxInt64): Selection {
  let lower = least
  let upper = greatest
  let hasLower = false
  let hasUpper = false
  const equal = new Set<bigint>()
  const excluded = new Set<bigint>()
  for (const { operator, value } of filters) {
    if (operator === 'eq') equal.add(value)
    else if (operator === 'ne') {
      // What no stored number can be needs no exclusion.
      if (value <= greatest) excluded.add(value)
    } else if (isLower(operator)) {
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

function isLower(operator: Operator): boolean {
  return operator === 'gt' || operator === 'gte'
}

function isUpper(operator: Operator): boolean {
  return operator === 'lt' || operator === 'lte'
}

/** The selection where a set is no set, but conditions that must all hold. Undefined when nothing can meet them. */
export function requireEqual(selection: Selection): Selection | undefined {
  const [value, ...others] = selection.equal
  if (others.length > 0) return undefined
  const range = value === undefined ? selection : intersect(selection, { lower: value, upper: value })
  return isEmpty(range) ? undefined : { ...selection, lower: range.lower, upper: range.upper }
}

/** Conditions on a time where `eq` means at or before. */
export function atOrBefore(filters: readonly Condition[]): Condition[] {
  return filters.map(({ operator, value }) => ({ operator: operator === 'eq' ? 'lte' : operator, value }))
}

/** The same in dialect B: where two values bound one side, the later one counts. */
export function lastWindow(filters: readonly Condition[]): Selection {
  const { from, to } = lastBounds(atOrBefore(filters))
  return selectionOf([from, to].filter((each) => each !== undefined))
}

/** The last condition on each side. What has to be equalled counts as the lower one. */
export function lastBounds(filters: readonly Condition[]) {
  return {
    from: filters.findLast(({ operator }) => operator === 'eq' || isLower(operator)),
    to: filters.findLast(({ operator }) => isUpper(operator)),
  }
}

/** Refuses what excludes values, once for each; where a list has no words for it. */
export function refuseExclusions(filters: readonly Pick<Filter<unknown>, 'operator'>[], message: string): void {
  const messages = filters.flatMap(({ operator }) => (operator === 'ne' ? [message] : []))
  if (messages.length > 0) throw invalidParameters(messages)
}

export function isEmpty({ lower, upper }: Range): boolean {
  return lower > upper
}

export function intersect(one: Range, other: Range): Range {
  return {
    lower: max(one.lower, other.lower),
    upper: min(one.upper, other.upper),
  }
}

/** What of a range comes after a value in an order. */
export function after<R extends Range>(range: R, value: bigint, order: Order): R {
  return order === 'asc' ? { ...range, lower: value + 1n } : { ...range, upper: value - 1n }
}

export function includes({ lower, upper, equal, excluded }: Selection, value: bigint): boolean {
  if (value < lower || value > upper || excluded.includes(value)) return false
  return equal.length === 0 || equal.includes(value)
}

/** The values of a set, in an order; undefined where none was given. */
export function valuesOf(selection: Selection, order: Order): bigint[] | undefined {
  const { equal } = selection
  return equal.length === 0 ? undefined : sorted(equal, order).filter((value) => includes(selection, value))
}

export function sorted(values: readonly bigint[], order: Order): bigint[] {
  return values.toSorted((a, b) => (a === b ? 0 : a < b === (order === 'asc') ? -1 : 1))
}

/** What is asked of an index for a range of its last column: the first rows in an order. */
export function readOf<T>({ lower, upper }: Range<T>, order: Order, limit: number) {
  return {
    lower: { value: lower, inclusive: true },
    upper: { value: upper, inclusive: true },
    descending: order === 'desc',
    limit,
  } as const
}

/** The same of what is excluded. */
export function without<F extends string>(field: F, { excluded }: Pick<Selection, 'excluded'>) {
  return excluded.map((value) => ({ field, op: 'ne', value }) as const)
}
