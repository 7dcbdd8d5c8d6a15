import { logKind } from '#projections/contract-logs/schema.ts'
import { max, min } from '#queries/common/bigints.ts'
import { readOf } from '#queries/common/range.ts'
import { type Box, boxesInOrder, type TupleRange } from '#queries/common/tuple-range.ts'
import type { LogCriteria } from '#queries/contract-logs/criteria.ts'
import { type FoundLog, logFields } from '#queries/contract-logs/log-fields.ts'
import type { LogContext } from '#queries/contract-logs/reads.ts'

type OrderedSearch = Pick<LogCriteria, 'kinds' | 'order' | 'limit'> & { readonly range: TupleRange }

const maxIndex = 2_147_483_647n

const filters = {
  all: [],
  listed: [{ field: 'kind', op: 'ne', value: logKind.ofAll }],
  leading: [{ field: 'kind', op: 'eq', value: logKind.leading }],
} as const

/** All logs of a range in their order. */
export async function findInOrder(
  { range, kinds, order, limit }: OrderedSearch,
  context: LogContext,
): Promise<FoundLog[]> {
  const found: FoundLog[] = []
  for (const box of boxesInOrder([range], order)) {
    if (found.length >= limit) break
    found.push(...(await findBox(box, { kinds, order, limit: limit - found.length }, context)))
  }
  return found
}

async function findBox(
  { equal, lower, upper }: Box,
  { kinds, order, limit }: Omit<OrderedSearch, 'range'>,
  { rows: { 'contract-logs': rows } }: LogContext,
): Promise<FoundLog[]> {
  const index = ['consensusTimestamp', 'index'] as const
  const query = { collection: 'logs', index, filters: filters[kinds], select: logFields } as const
  const [time] = equal
  if (time === undefined) return rows.find({ ...query, ...readOf({ lower, upper }, order, limit) })
  if (lower > maxIndex) return []
  const numbers = { lower: Number(max(lower, 0n)), upper: Number(min(upper, maxIndex)) }
  return rows.find({ ...query, prefix: [time], ...readOf(numbers, order, limit) })
}
