import { min } from '#queries/common/bigints.ts'
import type { LogCriteria } from '#queries/contract-logs/criteria.ts'
import { type FoundLog, logFields } from '#queries/contract-logs/log-fields.ts'
import type { LogContext } from '#queries/contract-logs/reads.ts'

type Criteria = Pick<LogCriteria, 'range' | 'order' | 'limit'>

/** Inclusive bounds of the numbers of logs at one time, or of times. */
interface Part {
  readonly at: bigint | undefined
  readonly lower: bigint
  readonly upper: bigint
}

const maxIndex = 2_147_483_647n

/** All logs in their order: those at the first time from a number on, those of later times, those at the last up to a number. */
export async function findInOrder({ range, order, limit }: Criteria, context: LogContext): Promise<FoundLog[]> {
  const descending = order === 'desc'
  const parts = partsOf({ ...range, upper: boundedBy(range.upper, context.checkpoint.time) })
  const found: FoundLog[] = []
  for (const part of descending ? parts.toReversed() : parts) {
    if (found.length >= limit) break
    found.push(...(await findPart(part, descending, limit - found.length, context)))
  }
  return found
}

function boundedBy(upper: LogCriteria['range']['upper'], time: bigint): LogCriteria['range']['upper'] {
  return upper.first > time ? { first: time, second: maxIndex } : upper
}

function partsOf({ lower, upper }: LogCriteria['range']): Part[] {
  const from = { at: lower.first, lower: lower.second, upper: maxIndex }
  const to = { at: upper.first, lower: 0n, upper: upper.second }
  if (lower.first === upper.first) return [{ ...from, upper: upper.second }]
  const startsInside = lower.second > 0n
  const endsInside = upper.second < maxIndex
  const between = {
    at: undefined,
    lower: startsInside ? lower.first + 1n : lower.first,
    upper: endsInside ? upper.first - 1n : upper.first,
  }
  return [...(startsInside ? [from] : []), between, ...(endsInside ? [to] : [])]
}

async function findPart(
  { at, lower, upper }: Part,
  descending: boolean,
  limit: number,
  { rows: { 'contract-logs': rows } }: LogContext,
): Promise<FoundLog[]> {
  if (lower > upper) return []
  const order = {
    collection: 'logs',
    index: ['consensusTimestamp', 'index'],
    descending,
    limit,
    select: logFields,
  } as const
  if (at === undefined)
    return rows.find({ ...order, lower: { value: lower, inclusive: true }, upper: { value: upper, inclusive: true } })
  if (lower > maxIndex) return []
  return rows.find({
    ...order,
    prefix: [at],
    lower: { value: Number(lower), inclusive: true },
    upper: { value: Number(min(upper, maxIndex)), inclusive: true },
  })
}
