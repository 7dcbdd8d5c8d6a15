import type { Filter, Order } from '#queries/common/parameters.ts'

/** Which values of a column a request wants: a set where it has `eq` values, else a range. All bounds are inclusive. */
export interface Selection {
  /** The values given with `eq` that lie between the bounds; undefined when none was given. */
  readonly equal: readonly bigint[] | undefined
  /** The same, wherever they lie. */
  readonly given: readonly bigint[]
  readonly lower: bigint
  readonly upper: bigint
}

/** Of values from 0 to `max`. */
export function selectionOf(filters: readonly Filter<bigint>[], max: bigint): Selection {
  let lower = 0n
  let upper = max
  for (const { operator, value } of filters) {
    if (operator === 'gt' && value + 1n > lower) lower = value + 1n
    else if (operator === 'gte' && value > lower) lower = value
    else if (operator === 'lt' && value - 1n < upper) upper = value - 1n
    else if (operator === 'lte' && value < upper) upper = value
  }
  const given = [...new Set(filters.filter(({ operator }) => operator === 'eq').map(({ value }) => value))]
  const equal = given.length === 0 ? undefined : given.filter((value) => value >= lower && value <= upper)
  return { equal, given, lower, upper }
}

/** The first values of a page, in its order. */
export function sorted(values: readonly bigint[], order: Order): bigint[] {
  const ascending = values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  return order === 'asc' ? ascending : ascending.reverse()
}

/** Whether the bounds leave nothing between them. */
export function isEmptySelection({ lower, upper }: Selection): boolean {
  return lower > upper
}
