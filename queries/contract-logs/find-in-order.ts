import { max, min } from '#queries/common/bigints.ts'
import type { Order } from '#queries/common/parameters.ts'
import { type Box, boxesOf, type TupleRange } from '#queries/common/tuple-range.ts'
import { type FoundLog, logFields } from '#queries/contract-logs/log-fields.ts'
import type { LogContext } from '#queries/contract-logs/reads.ts'

interface OrderedSearch {
  readonly range: TupleRange
  readonly order: Order
  readonly limit: number
}

const maxIndex = 2_147_483_647n

/** All logs of a range in their order. */
export async function findInOrder({ range, order, limit }: OrderedSearch, context: LogContext): Promise<FoundLog[]> {
  const boxes = boxesOf(range)
  const found: FoundLog[] = []
  for (const box of order === 'desc' ? boxes.toReversed() : boxes) {
    if (found.length >= limit) break
    found.push(...(await findBox(box, order === 'desc', limit - found.length, context)))
  }
  return found
}

async function findBox(
  { equal, lower, upper }: Box,
  descending: boolean,
  limit: number,
  { rows: { 'contract-logs': rows } }: LogContext,
): Promise<FoundLog[]> {
  const order = {
    collection: 'logs',
    index: ['consensusTimestamp', 'index'],
    descending,
    limit,
    select: logFields,
  } as const
  const [time] = equal
  if (time === undefined)
    return rows.find({ ...order, lower: { value: lower, inclusive: true }, upper: { value: upper, inclusive: true } })
  if (lower > maxIndex) return []
  return rows.find({
    ...order,
    prefix: [time],
    lower: { value: Number(max(lower, 0n)), inclusive: true },
    upper: { value: Number(min(upper, maxIndex)), inclusive: true },
  })
}
