import type { LogRow } from '#projections/contract-logs/schema.ts'
import { hasOperator, selectColumns } from '#queries/common/column-bounds.ts'
import { invalidParameters } from '#queries/common/errors.ts'
import type { ListRequest } from '#queries/common/list-route.ts'
import type { Filter, Filters, Order } from '#queries/common/parameters.ts'
import type { QueryParameters } from '#queries/common/query-string.ts'
import type { TupleRange } from '#queries/common/tuple-range.ts'
import type { allParameters, contractParameters } from '#queries/contract-logs/params.ts'
import { assertTopicWindow } from '#queries/contract-logs/topic-window.ts'

export type LogFilters = Filters<typeof contractParameters> & Partial<Filters<typeof allParameters>>

interface LogRequest extends Pick<ListRequest<typeof contractParameters>, 'query' | 'order' | 'limit'> {
  readonly filters: LogFilters
}

/** What logs have to be like. */
export interface LogCriteria {
  readonly contractId: bigint | undefined
  /** Hex digits. */
  readonly transactionHash: string | undefined
  /** By position, each with the values, hex digits without leading zero bytes, of which a log has one; none where anything will do. */
  readonly topics: readonly (readonly string[])[]
  /** Consensus times and numbers in the block; undefined where no log can match. */
  readonly range: TupleRange | undefined
  /** Lists leave out movements of NFTs that are not named; a row of a result is made of the leading log of its transaction. */
  readonly kinds: 'all' | 'listed' | 'leading'
  readonly order: Order
  readonly limit: number
}

/** What topics need is checked before anything is looked up. */
export function assertSearchable(filters: LogFilters): void {
  if (topicsOf(filters).some(({ length }) => length > 0)) assertTopicWindow(asOneTime(filters.timestamp, 'inclusive'))
}

function topicsOf({ topic0, topic1, topic2, topic3 }: LogFilters): string[][] {
  return [topic0, topic1, topic2, topic3].map((each) => each.map(({ value }) => value))
}

/** What a request asks for. Complaints come in the order of the query string where it matters. */
export function criteriaOf({ filters, query, order, limit }: LogRequest, contractId: bigint | undefined): LogCriteria {
  const range = rangeOf({ ...filters, timestamp: timesOf(filters, contractId !== undefined) }, query)
  return {
    contractId,
    transactionHash: filters['transaction.hash']?.[0]?.value,
    topics: topicsOf(filters),
    range,
    kinds: 'listed',
    order,
    limit,
  }
}

/** Where a page goes on behind a log: by what is not given. One time and one number in its block are of one log each. */
export function positionOf(
  { consensusTimestamp, index }: Pick<LogRow, 'consensusTimestamp' | 'index'>,
  filters: LogFilters,
  isOfContract: boolean,
) {
  const hasOneTime = hasOperator(timesOf(filters, isOfContract), 'eq')
  if (hasOneTime && hasOperator(filters.index, 'eq')) return undefined
  return { ...(!hasOneTime && { timestamp: consensusTimestamp }), index: BigInt(index) }
}

function timesOf({ timestamp }: LogFilters, isOfContract: boolean): readonly Filter<bigint>[] {
  return asOneTime(timestamp, isOfContract ? 'inclusive' : 'any')
}

/**
 * Two bounds of the same time are that time, `inclusive` ones alone where strict ones leave nothing. As established clients see
 * it, the list of all logs takes any bounds of one time so.
 */
function asOneTime(filters: readonly Filter<bigint>[], bounds: 'inclusive' | 'any'): readonly Filter<bigint>[] {
  const [one, other] = filters
  if (filters.length !== 2 || !one || !other || one.value !== other.value) return filters
  if (bounds === 'inclusive' && hasOperator(filters, 'gt', 'lt')) return filters
  const sides = new Set([one, other].map(({ operator }) => operator[0]))
  return sides.has('g') && sides.has('l') ? [{ operator: 'eq', value: one.value }] : filters
}

type RangeFilters = Pick<LogFilters, 'timestamp' | 'index'> & Partial<Filters<typeof allParameters>>

function rangeOf(filters: RangeFilters, query: QueryParameters): TupleRange | undefined {
  const { timestamp, index, 'transaction.hash': hashes = [] } = filters
  if (hashes.length > 1) throw invalidParameters(['Only one transaction.hash filter is allowed'])
  const [number] = index
  const isNumberAlone = timestamp.length === 0 && index.length === 1 && number?.operator === 'eq'
  if (isNumberAlone) throw timeMissing()
  const selection = selectColumns(query, { name: 'timestamp', filters: timestamp }, { name: 'index', filters: index })
  if (selection?.second === undefined) return selection?.range
  if (!timestamp.some(({ operator }) => operator === 'eq')) throw timeMissing()
  const { range, second } = selection
  return { lower: [...range.lower, second], upper: [...range.upper, second] }
}

/** A number in the block means something only beside a time. */
function timeMissing() {
  return invalidParameters(['timestamp must have eq operator'])
}
