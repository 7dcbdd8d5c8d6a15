import { max, min } from '#queries/common/bigints.ts'
import type { Order } from '#queries/common/parameters.ts'
import type { Bound } from '#src/ports/read-store.ts'

/** Rows of a step after the first: more than a page has, since some are passed over. */
const furtherRowsUsual = 200

/** Numbers between two bounds, both inclusive. */
export interface SteppedRange {
  readonly lower: bigint
  readonly upper: bigint
  readonly order: Order
  /** Rows of the first step: those of a page. */
  readonly limit: number
  readonly furtherRows?: number
}

/** What one step asks a store for. */
export interface Step {
  readonly lower: Bound<bigint>
  readonly upper: Bound<bigint>
  readonly descending: boolean
  readonly limit: number
}

/** Rows of an index that ends with a number, in order, a step at a time, until the range ends or nobody wants more. */
export async function* inSteps<R>(
  { order, limit, furtherRows = furtherRowsUsual, ...range }: SteppedRange,
  pause: () => Promise<void>,
  find: (step: Step) => Promise<readonly R[]>,
  numberOf: (row: R) => bigint,
): AsyncGenerator<readonly R[]> {
  let { lower, upper } = range
  for (let rows = limit; lower <= upper; rows = furtherRows) {
    const bounds = { lower: { value: lower, inclusive: true }, upper: { value: upper, inclusive: true } }
    const found = await find({ ...bounds, descending: order === 'desc', limit: rows })
    yield found
    const last = found.at(-1)
    if (last === undefined || found.length < rows) return
    if (order === 'asc') lower = max(lower, numberOf(last) + 1n)
    else upper = min(upper, numberOf(last) - 1n)
    await pause()
  }
}

/** What numbers themselves are read in steps by. */
export function itself(number: bigint): bigint {
  return number
}
