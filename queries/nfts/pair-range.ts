import type { Order } from '#queries/common/parameters.ts'
import { maxInt64 } from '#src/domain/ledger-time.ts'

/** Inclusive bounds. */
export interface Bounds {
  readonly lower: bigint
  readonly upper: bigint
}

/**
 * Pairs between two pairs, in lexical order: the bounds of the second column hold where the first one is at its own bound,
 * and nowhere between. A value that the second column must equal holds everywhere.
 */
export interface PairRange {
  readonly first: Bounds
  readonly second: Bounds
  readonly equal: bigint | undefined
}

export const anySecond: Bounds = { lower: 0n, upper: maxInt64 }

/** What the second column may be beside a value of the first. */
export function secondBounds({ first, second, equal }: PairRange, value: bigint): Bounds {
  if (equal !== undefined) return { lower: equal, upper: equal }
  return {
    lower: value === first.lower ? second.lower : anySecond.lower,
    upper: value === first.upper ? second.upper : anySecond.upper,
  }
}

/** What follows behind a pair. */
export function behind(range: PairRange, [first, second]: readonly [bigint, bigint], order: Order): PairRange {
  const step = order === 'asc' ? 1n : -1n
  const [end, isFixed] = [order === 'asc' ? 'lower' : 'upper', range.equal !== undefined] as const
  return {
    ...range,
    first: { ...range.first, [end]: isFixed ? first + step : first },
    second: { ...range.second, [end]: isFixed ? range.second[end] : second + step },
  }
}

/** One range read: on the second column where the first one is given, else on the first. */
export interface Segment extends Bounds {
  readonly first: bigint | undefined
}

/** The reads that find all pairs of a range, in order. A value that the second column must equal is left to the reader. */
export function segmentsOf(range: PairRange, order: Order): Segment[] {
  const { first, equal } = range
  if (first.lower > first.upper) return []
  if (first.lower === first.upper) return [{ first: first.lower, ...secondBounds(range, first.lower) }]
  const cutsLower = equal === undefined && range.second.lower > anySecond.lower
  const cutsUpper = equal === undefined && range.second.upper < anySecond.upper
  const segments: Segment[] = [
    ...(cutsLower ? [{ first: first.lower, ...secondBounds(range, first.lower) }] : []),
    {
      first: undefined,
      lower: cutsLower ? first.lower + 1n : first.lower,
      upper: cutsUpper ? first.upper - 1n : first.upper,
    },
    ...(cutsUpper ? [{ first: first.upper, ...secondBounds(range, first.upper) }] : []),
  ].filter(({ lower, upper }) => lower <= upper)
  return order === 'asc' ? segments : segments.reverse()
}

/** The first rows of a range, by one read after another. */
export async function findPairs<R>(
  range: PairRange,
  order: Order,
  limit: number,
  find: (segment: Segment, limit: number) => Promise<R[]>,
): Promise<R[]> {
  const found: R[] = []
  for (const segment of segmentsOf(range, order)) {
    found.push(...(await find(segment, limit - found.length)))
    if (found.length === limit) break
  }
  return found
}
