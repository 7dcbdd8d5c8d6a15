import type { Order } from '#queries/common/parameters.ts'
import {
  type Box,
  beyond,
  boxesOf,
  compareTuples,
  isWithin,
  type Tuple,
  type TupleRange,
} from '#queries/common/tuple-range.ts'

/** Rows that a step reads at least where some of them are passed over. */
const passingStep = 100

interface Version {
  /** ns, inclusive. */
  readonly from: bigint
  /** ns, exclusive; null while it is in force. */
  readonly until: bigint | null
}

/** A list of what is in a certain state, a page of it at the bound of a request. */
export interface StateList<R extends Version> {
  /** ns; the bound. */
  readonly time: bigint
  readonly order: Order
  readonly limit: number
  /** A row's place in the list. */
  readonly tupleOf: (row: R) => Tuple
  /** Rows that are in the list now, of a box, in the order of the list. */
  readonly listed: (box: Box, limit: number) => Promise<readonly R[]>
  /** Whatever changed later than the bound, whether or not it is in the list now. */
  readonly changed: () => Promise<readonly R[]>
  /** What such rows were at the bound. */
  readonly atBound: (rows: readonly R[]) => Promise<(R | undefined)[]>
  /** Whether a row that was so at the bound is in the list, and is asked for. */
  readonly shows: (row: R) => boolean
  /** Whether `shows` passes over many rows of the list. */
  readonly isSparse?: boolean
  readonly pause: () => Promise<void>
}

/**
 * The first rows of some ranges, given in ascending order. State moves on while a request runs: what changed since is looked
 * for after the page was read, and shown as it was, or where it was. Nearly always that is nothing.
 */
export async function readStatePage<R extends Version>(
  ranges: readonly TupleRange[],
  list: StateList<R>,
): Promise<R[]> {
  const { order, limit, tupleOf, shows } = list
  const settled: R[] = []
  for (const range of order === 'asc' ? ranges : ranges.toReversed()) {
    if (settled.length < limit) await readOn(range, settled, list)
  }
  const changed = await list.changed()
  if (changed.length === 0) return settled.slice(0, limit)
  const before = (await list.atBound(changed)).filter((row) => row !== undefined)
  const added = before.filter(
    (row) =>
      shows(row) &&
      ranges.some((range) => isWithin(tupleOf(row), range)) &&
      !settled.some((known) => compareTuples(tupleOf(known), tupleOf(row)) === 0),
  )
  const direction = order === 'asc' ? 1 : -1
  return [...settled, ...added].sort((a, b) => direction * compareTuples(tupleOf(a), tupleOf(b))).slice(0, limit)
}

/** Reads a range until the page is full of rows that were so at the bound. */
async function readOn<R extends Version>(range: TupleRange, settled: R[], list: StateList<R>): Promise<void> {
  const { order, limit, tupleOf, shows, time, isSparse = false } = list
  const step = isSparse ? Math.max(limit, passingStep) : limit
  for (let rest = range; ; ) {
    const rows = await readBoxes(rest, step, list)
    settled.push(...rows.filter((row) => isSettled(row, time) && shows(row)))
    const last = rows.at(-1)
    if (last === undefined || rows.length < step || settled.length >= limit) return
    rest = beyond(rest, tupleOf(last), order)
    await list.pause()
  }
}

function isSettled({ from, until }: Version, time: bigint): boolean {
  return from <= time && (until === null || until > time)
}

async function readBoxes<R extends Version>(range: TupleRange, limit: number, list: StateList<R>): Promise<R[]> {
  const boxes = boxesOf(range)
  const rows: R[] = []
  for (const box of list.order === 'asc' ? boxes : boxes.reverse()) {
    if (rows.length < limit) rows.push(...(await list.listed(box, limit - rows.length)))
  }
  return rows
}
