import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { allOperators, type Filter, type Operator, type Order } from '#queries/common/parameters.ts'
import {
  after,
  atOrBefore,
  includes,
  intersect,
  isEmpty,
  lastWindow,
  type Range,
  readOf,
  requireEqual,
  selectionOf,
  valuesOf,
  without,
} from '#queries/common/range.ts'
import { maxInt64, minInt64 } from '#src/domain/ledger-time.ts'

const every = [-3n, -2n, -1n, 0n, 1n, 2n, 3n]
const value = fc.constantFrom(...every)
const filtersOf = (operators: readonly Operator[]) =>
  fc.array(fc.record({ operator: fc.constantFrom(...operators), value }), { maxLength: 5 })
const anyFilters = filtersOf(allOperators)
const ranges: fc.Arbitrary<Range> = fc.record({ lower: value, upper: value })
const orders = fc.constantFrom<Order>('asc', 'desc')

/** The rules once more, without any of what a selection is made of. */
function meets(number: bigint, { operator, value: other }: Filter<bigint>): boolean {
  if (operator === 'eq') return number === other
  if (operator === 'ne') return number !== other
  if (operator === 'gt') return number > other
  if (operator === 'gte') return number >= other
  return operator === 'lt' ? number < other : number <= other
}

const isIn = ({ lower, upper }: Range, number: bigint) => number >= lower && number <= upper

describe('a selection', () => {
  it('includes what meets all conditions, of which those that equal form a set', () => {
    fc.assert(
      fc.property(anyFilters, (filters) => {
        const set = filters.filter(({ operator }) => operator === 'eq')
        const others = filters.filter(({ operator }) => operator !== 'eq')
        const expected = every.filter(
          (number) =>
            others.every((filter) => meets(number, filter)) &&
            (set.length === 0 || set.some((filter) => meets(number, filter))),
        )
        const selection = selectionOf(filters, minInt64)
        expect(every.filter((number) => includes(selection, number))).toEqual(expected)
        expect(valuesOf(selection, 'asc')).toEqual(set.length === 0 ? undefined : expected)
        expect(valuesOf(selection, 'desc')).toEqual(set.length === 0 ? undefined : expected.toReversed())
      }),
    )
  })

  it('includes what meets every single condition where a set is none', () => {
    fc.assert(
      fc.property(anyFilters, (filters) => {
        const selection = requireEqual(selectionOf(filters, minInt64))
        const expected = every.filter((number) => filters.every((filter) => meets(number, filter)))
        expect(every.filter((number) => selection !== undefined && includes(selection, number))).toEqual(expected)
        if (selection !== undefined) expect(isEmpty(selection)).toBe(false)
      }),
    )
  })

  it('takes an instant for what is at or before it', () => {
    fc.assert(
      fc.property(filtersOf(['eq', 'gt', 'lte']), (filters) => {
        const at = filters.map((each) => (each.operator === 'eq' ? { ...each, operator: 'lte' as const } : each))
        expect(selectionOf(atOrBefore(filters))).toEqual(selectionOf(at))
      }),
    )
  })

  it('knows which bounds were given, and excludes only what can be', () => {
    expect(selectionOf([])).toEqual({
      ...{ lower: 0n, upper: maxInt64, hasLower: false, hasUpper: false },
      ...{ equal: [], excluded: [] },
    })
    expect(selectionOf([{ operator: 'gte', value: -7n }])).toMatchObject({ lower: 0n, hasLower: true })
    expect(selectionOf([{ operator: 'lte', value: maxInt64 + 9n }])).toMatchObject({ upper: maxInt64 + 9n })
    expect(selectionOf([{ operator: 'ne', value: maxInt64 + 1n }]).excluded).toEqual([])
    expect(without('time', selectionOf([{ operator: 'ne', value: 4n }]))).toEqual([
      { field: 'time', op: 'ne', value: 4n },
    ])
  })
})

describe('a window of dialect B', () => {
  it('is of the last bound on each side', () => {
    const bounds = (...given: [Operator, bigint][]) => {
      const { lower, upper, hasUpper } = lastWindow(given.map(([operator, value]) => ({ operator, value })))
      return [lower, hasUpper ? upper : undefined]
    }
    expect(bounds()).toEqual([0n, undefined])
    expect(bounds(['gt', 5n], ['gte', 3n], ['lt', 9n], ['eq', 20n])).toEqual([3n, 20n])
    expect(bounds(['eq', 20n], ['lt', 9n])).toEqual([0n, 8n])
  })
})

describe('a range', () => {
  it('meets another one in what both have', () => {
    fc.assert(
      fc.property(ranges, ranges, value, (one, other, number) => {
        expect(isIn(intersect(one, other), number)).toBe(isIn(one, number) && isIn(other, number))
      }),
    )
  })

  it('goes on with what comes after a value in the order', () => {
    fc.assert(
      fc.property(ranges, orders, value, value, (range, order, last, number) => {
        const isLater = order === 'asc' ? number > last : number < last
        const rest = intersect(range, after(range, last, order))
        expect(isIn(rest, number)).toBe(isIn(range, number) && isLater)
      }),
    )
  })

  it('is empty where no value is in it, and is read as it says', () => {
    fc.assert(
      fc.property(ranges, (range) => {
        expect(isEmpty(range)).toBe(!every.some((number) => isIn(range, number)))
      }),
    )
    expect(readOf({ lower: 1, upper: 2 }, 'desc', 7)).toEqual({
      lower: { value: 1, inclusive: true },
      upper: { value: 2, inclusive: true },
      descending: true,
      limit: 7,
    })
  })
})
