import type { Order } from '#queries/common/parameters.ts'
import type { Range } from '#queries/common/range.ts'
import { maxInt64, minInt64 } from '#src/domain/ledger-time.ts'
import type { Value } from '#src/ports/read-store.ts'

/** One row's values of the columns of an order. */
export type Tuple = readonly bigint[]

/** The rows between two tuples, compared from their first column on. Both bounds are inclusive. */
export type TupleRange = Range<Tuple>

/** What an index reads at once: leading columns that are equal, and a range of the next one. */
export interface Box extends Range {
  readonly equal: Tuple
}

/** Of a box of at most three columns. */
type Leading = readonly [] | readonly [bigint] | readonly [bigint, bigint]

/** The prefix of an index whose leading columns are known, and behind which the columns of a box follow. */
export function prefixOf<const P extends readonly Value[], E extends Tuple = Leading>(known: P, { equal }: Box) {
  return [...known, ...equal] as unknown as E extends Tuple ? readonly [...P, ...E] : never
}

/** The boxes that a range consists of, in ascending order: at most two more for every column after the first. */
export function boxesOf({ lower, upper }: TupleRange, equal: Tuple = []): Box[] {
  const [first = minInt64, ...lowerRest] = lower
  const [last = maxInt64, ...upperRest] = upper
  if (first > last) return []
  if (lowerRest.length === 0) return [{ equal, lower: first, upper: last }]
  if (first === last) return boxesOf({ lower: lowerRest, upper: upperRest }, [...equal, first])
  const cutsFirst = lowerRest.some((value) => value > minInt64)
  const cutsLast = upperRest.some((value) => value < maxInt64)
  const within = { equal, lower: cutsFirst ? first + 1n : first, upper: cutsLast ? last - 1n : last }
  return [
    ...(cutsFirst ? boxesOf({ lower: lowerRest, upper: upperRest.map(() => maxInt64) }, [...equal, first]) : []),
    ...(within.lower <= within.upper ? [within] : []),
    ...(cutsLast ? boxesOf({ lower: lowerRest.map(() => minInt64), upper: upperRest }, [...equal, last]) : []),
  ]
}

/** The boxes of ranges that are given in ascending order. */
export function boxesInOrder(ranges: readonly TupleRange[], order: Order): Box[] {
  const boxes = ranges.flatMap((range) => boxesOf(range))
  return order === 'asc' ? boxes : boxes.reverse()
}

/** What of a range comes after a tuple in an order. */
export function beyond(range: TupleRange, tuple: Tuple, order: Order): TupleRange {
  const step = order === 'asc' ? 1n : -1n
  const next = tuple.with(-1, (tuple.at(-1) ?? 0n) + step)
  return order === 'asc' ? { ...range, lower: next } : { ...range, upper: next }
}

export function isWithin(tuple: Tuple, { lower, upper }: TupleRange): boolean {
  return compareTuples(tuple, lower) >= 0 && compareTuples(tuple, upper) <= 0
}

export function compareTuples(a: Tuple, b: Tuple): number {
  const column = a.findIndex((value, index) => value !== b[index])
  if (column === -1) return 0
  return (a[column] ?? 0n) < (b[column] ?? 0n) ? -1 : 1
}
