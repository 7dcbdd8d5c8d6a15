import fc from 'fast-check'
import { expect, it } from 'vitest'
import { beyond, boxesOf, compareTuples, isWithin, type Tuple, type TupleRange } from '#queries/common/tuple-range.ts'
import { maxInt64, minInt64 } from '#src/domain/ledger-time.ts'

const values = [0n, 1n, 2n, 3n]
const every: Tuple[] = values.flatMap((a) => values.flatMap((b) => values.map((c) => [a, b, c])))

const bound = (open: bigint) => fc.tuple(...[0, 1, 2].map(() => fc.constantFrom(...values, open)))
const ranges: fc.Arbitrary<TupleRange> = fc.record({ lower: bound(minInt64), upper: bound(maxInt64) })

/** What an index gives for the boxes one after the other. */
function readBoxes(range: TupleRange): Tuple[] {
  return boxesOf(range).flatMap(({ equal, lower, upper }) =>
    every.filter((tuple) => {
      const ranged = tuple[equal.length] ?? 0n
      return equal.every((value, column) => value === tuple[column]) && ranged >= lower && ranged <= upper
    }),
  )
}

it('boxes have every tuple between the bounds, each once and in order', () => {
  fc.assert(
    fc.property(ranges, (range) => {
      expect(readBoxes(range)).toEqual(every.filter((tuple) => isWithin(tuple, range)))
    }),
  )
})

it('boxes are few: at most two for every column after the first, and one', () => {
  fc.assert(fc.property(ranges, (range) => boxesOf(range).length <= 5))
})

it('what is beyond a tuple is the rest of the range in either direction', () => {
  fc.assert(
    fc.property(ranges, fc.constantFrom(...every), (range, place) => {
      const between = every.filter((tuple) => isWithin(tuple, range))
      fc.pre(between.includes(place))
      const later = between.filter((tuple) => compareTuples(tuple, place) > 0)
      const earlier = between.filter((tuple) => compareTuples(tuple, place) < 0)
      expect(readBoxes(beyond(range, place, 'asc'))).toEqual(later)
      expect(readBoxes(beyond(range, place, 'desc'))).toEqual(earlier)
    }),
  )
})
