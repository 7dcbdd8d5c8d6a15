import type { Order } from '#queries/common/parameters.ts'
import { after, intersect, isEmpty, type Range, readOf } from '#queries/common/range.ts'
import { wordOfNumber } from '#src/domain/evm-words.ts'

/** Rows of a step after the first: more than a page has, since some are passed over. */
const furtherRowsUsual = 200

export interface SteppedRange extends Range {
  readonly order: Order
  /** Rows of the first step: those of a page. */
  readonly limit: number
  /** Rows of the next step, from those of the last. */
  readonly next?: (rows: number) => number
}

/** What one step asks a store for. */
export type Step = ReturnType<typeof readOf<bigint>>

/** The same of an index that ends with a word of 32 bytes. */
export function wordStep({ lower, upper, ...step }: Step) {
  const wordOf = (bound: Step['lower']) => ({ ...bound, value: wordOfNumber(bound.value) })
  return { ...step, lower: wordOf(lower), upper: wordOf(upper) }
}

/** Rows of an index that ends with a number, in order, a step at a time, until the range ends or nobody wants more. */
export async function* inSteps<R>(
  { order, limit, next = () => furtherRowsUsual, ...range }: SteppedRange,
  pause: () => Promise<void>,
  find: (step: Step) => Promise<readonly R[]>,
  numberOf: (row: R) => bigint,
): AsyncGenerator<readonly R[]> {
  let rest: Range = range
  for (let rows = limit; !isEmpty(rest); rows = next(rows)) {
    const found = await find(readOf(rest, order, rows))
    yield found
    const last = found.at(-1)
    if (last === undefined || found.length < rows) return
    rest = intersect(rest, after(rest, numberOf(last), order))
    await pause()
  }
}

/** The same steps with what their rows come to. */
export async function* eachStep<R, T>(
  steps: AsyncIterable<readonly R[]>,
  show: (rows: readonly R[]) => readonly T[] | Promise<readonly T[]>,
): AsyncGenerator<readonly T[]> {
  for await (const rows of steps) yield await show(rows)
}

/** Steps that grow up to so many rows: what has found few so far will find few. */
export function growing(rowsMax: number): (rows: number) => number {
  return (rows) => Math.min(rows * 4, rowsMax)
}

/** The first rows of some steps that are wanted. */
export async function firstOf<R>(
  steps: AsyncIterable<readonly R[]>,
  limit: number,
  isWanted: (row: R) => boolean = () => true,
): Promise<R[]> {
  const found: R[] = []
  for await (const step of steps) {
    found.push(...step.filter(isWanted))
    if (found.length >= limit) break
  }
  return found.slice(0, limit)
}
