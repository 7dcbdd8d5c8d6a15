import { assertPair, boundsOf, type PairRange, pairRangeOf } from '#queries/common/column-pair.ts'
import { invalidParameters } from '#queries/common/errors.ts'
import { type Filter, type Filters, lastValue, type Order, pageSize } from '#queries/common/parameters.ts'
import type { QueryParameters } from '#queries/common/query-string.ts'
import type { QuerySettings } from '#queries/common/settings.ts'
import type { allParameters, contractParameters } from '#queries/contract-logs/params.ts'
import { assertTopicWindow } from '#queries/contract-logs/topic-window.ts'
import { maxInt64 } from '#src/domain/ledger-time.ts'

export type LogFilters = Filters<typeof contractParameters> & Partial<Filters<typeof allParameters>>

/** What logs have to be like. */
export interface LogCriteria {
  readonly contractId: bigint | undefined
  readonly transactionHash: Buffer | undefined
  /** By position, each with the values of which a log has one; none where anything will do. */
  readonly topics: readonly (readonly Buffer[])[]
  /** Consensus times and numbers in the block. */
  readonly range: PairRange
  readonly order: Order
  readonly limit: number
}

/** What topics need is checked before anything is looked up. */
export function assertSearchable(filters: LogFilters): void {
  if (topicsOf(filters).some(({ length }) => length > 0)) assertTopicWindow(asOneTime(filters.timestamp))
}

function topicsOf({ topic0, topic1, topic2, topic3 }: LogFilters): Buffer[][] {
  return [topic0, topic1, topic2, topic3].map((each) => each.map(({ value }) => value))
}

/** What a request asks for. Complaints come in the order of the query string where it matters. */
export function criteriaOf(
  filters: LogFilters,
  query: QueryParameters,
  contractId: bigint | undefined,
  settings: QuerySettings,
): LogCriteria {
  const { order, limit } = filters
  const range = rangeOf({ ...filters, timestamp: asOneTime(filters.timestamp) }, query)
  return {
    contractId,
    transactionHash: filters['transaction.hash']?.[0]?.value,
    topics: topicsOf(filters),
    range,
    order: lastValue(order) ?? 'desc',
    limit: pageSize(limit, settings),
  }
}

/** Two bounds of the same time are that time, whatever they say of themselves. */
function asOneTime(filters: readonly Filter<bigint>[]): readonly Filter<bigint>[] {
  const [one, other] = filters
  if (filters.length !== 2 || !one || !other || one.value !== other.value) return filters
  const sides = new Set([one, other].map(({ operator }) => operator[0]))
  return sides.has('g') && sides.has('l') ? [{ operator: 'eq', value: one.value }] : filters
}

type RangeFilters = Pick<LogFilters, 'timestamp' | 'index'> & Partial<Filters<typeof allParameters>>

function rangeOf(filters: RangeFilters, query: QueryParameters): PairRange {
  for (const { name } of query) {
    if (name === 'timestamp' || name === 'index') boundsOf(name, filters[name])
    if (name === 'transaction.hash' && (filters['transaction.hash']?.length ?? 0) > 1)
      throw invalidParameters(['Only one transaction.hash filter is allowed'])
  }
  const times = boundsOf('timestamp', filters.timestamp)
  const indexes = boundsOf('index', filters.index)
  if (indexes.equal && !times.equal) throw invalidParameters(['timestamp must have eq operator'])
  assertPair(times, indexes)
  return pairRangeOf(times, indexes, maxInt64)
}
