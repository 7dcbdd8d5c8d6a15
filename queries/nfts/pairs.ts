import type { ColumnSelection } from '#queries/common/column-bounds.ts'
import type { Order } from '#queries/common/parameters.ts'
import type { Range } from '#queries/common/range.ts'
import { type Box, beyond, boxesOf } from '#queries/common/tuple-range.ts'
import { maxInt64, minInt64 } from '#src/domain/ledger-time.ts'

/** What the second column may be beside a value of the first. */
export function secondBounds({ range: { lower, upper }, second }: ColumnSelection, value: bigint): Range {
  if (second !== undefined) return { lower: second, upper: second }
  return {
    lower: (value === lower[0] ? lower[1] : undefined) ?? minInt64,
    upper: (value === upper[0] ? upper[1] : undefined) ?? maxInt64,
  }
}

/** The same of a value that the first column may have; undefined where it may not. */
export function serialsOf(selection: ColumnSelection, token: bigint): Range | undefined {
  const { lower, upper } = selection.range
  return token < (lower[0] ?? token) || token > (upper[0] ?? token) ? undefined : secondBounds(selection, token)
}

/** What follows behind a pair. */
export function behind(
  selection: ColumnSelection,
  [first, second]: readonly [bigint, bigint],
  order: Order,
): ColumnSelection {
  const place = selection.second === undefined ? [first, second] : [first]
  return { ...selection, range: beyond(selection.range, place, order) }
}

/** The first rows of a selection, by one read after another. What the second column must equal is left to the reader. */
export async function findPairs<R>(
  selection: ColumnSelection,
  order: Order,
  limit: number,
  find: (box: Box, limit: number) => Promise<R[]>,
): Promise<R[]> {
  const found: R[] = []
  const boxes = boxesOfSelection(selection)
  for (const box of order === 'asc' ? boxes : boxes.toReversed()) {
    found.push(...(await find(box, limit - found.length)))
    if (found.length === limit) break
  }
  return found
}

function boxesOfSelection({ range, second }: ColumnSelection): Box[] {
  const [only = minInt64] = range.lower
  const isOnePair = second !== undefined && only === range.upper[0]
  return isOnePair ? [{ equal: [only], lower: second, upper: second }] : boxesOf(range)
}
