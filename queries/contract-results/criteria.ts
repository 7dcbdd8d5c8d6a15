import { type AccountCondition, accountCondition, meets } from '#queries/common/account-condition.ts'
import { max, min } from '#queries/common/bigints.ts'
import type { EntityReference } from '#queries/common/entity-id-parameter.ts'
import { invalidParameters, notFound } from '#queries/common/errors.ts'
import { findHolder } from '#queries/common/find-entity.ts'
import { combineRange, type IntegerRange } from '#queries/common/integer-range.ts'
import { type Filter, type Filters, lastValue, type Order, pageSize } from '#queries/common/parameters.ts'
import { findNamedBlock } from '#queries/contract-results/find-blocks.ts'
import type { resultListParameters } from '#queries/contract-results/params.ts'
import type { ResultContext } from '#queries/contract-results/reads.ts'

/** What a result must be like to be on a list. */
export interface ResultCriteria {
  readonly contract: bigint | undefined
  /** Senders; undefined where they are not known. */
  readonly senders: readonly bigint[] | undefined
  readonly matchesSender: (sender: bigint | null) => boolean
  /** Consensus times; those given with `eq` are a set. */
  readonly time: IntegerRange
  readonly indexes: ReadonlySet<number> | undefined
  /** Whether results of what the network made itself are listed, too. */
  readonly internal: boolean
  readonly order: Order
  readonly limit: number
}

type ListFilters = Filters<typeof resultListParameters>

/** The list's parameters as one condition; undefined when nothing can meet it. */
export async function resultCriteria(
  filters: ListFilters,
  contract: bigint | undefined,
  context: ResultContext,
): Promise<ResultCriteria | undefined> {
  assertUsage(filters)
  const from = filters.from.length === 0 ? undefined : accountCondition(await resolved(filters.from, context))
  const time = await timeOf(filters, context)
  if (from === 'impossible' || time === undefined) return undefined
  const indexes = filters['transaction.index'].map(({ value }) => value)
  return {
    contract,
    senders: from?.oneOf,
    matchesSender: (sender) => from === undefined || (sender !== null && isSender(sender, from)),
    time,
    indexes: indexes.length === 0 ? undefined : new Set(indexes),
    internal: lastValue(filters.internal) ?? false,
    order: lastValue(filters.order) ?? 'desc',
    limit: pageSize(filters.limit, context.settings),
  }
}

function isSender(sender: bigint, { oneOf, comparisons }: AccountCondition): boolean {
  return (oneOf === undefined || oneOf.includes(sender)) && meets(sender, comparisons)
}

function assertUsage(filters: ListFilters): void {
  const hasHash = filters['block.hash'].length > 0
  const hasNumber = filters['block.number'].length > 0
  if (hasHash && hasNumber) throw wrongUsage('block.hash', 'cannot combine block.number and block.hash')
  if (filters['transaction.index'].length > 0 && !hasHash && !hasNumber)
    throw wrongUsage(
      'transaction.index',
      'transaction.index requires block.number or block.hash filter to be specified',
    )
}

function wrongUsage(name: string, reason: string) {
  return invalidParameters([`Invalid parameter usage: ${name} - ${reason}`])
}

/** With addresses turned into ids; throws `not_found` where one is nobody's. */
function resolved(
  filters: readonly Filter<EntityReference>[],
  { rows, checkpoint }: ResultContext,
): Promise<Filter<EntityReference>[]> {
  return Promise.all(
    filters.map(async (filter) => {
      if (filter.value.kind === 'id') return filter
      const id = await findHolder(rows.entities, Buffer.from(filter.value.hex, 'hex'), checkpoint)
      if (id === undefined) throw notFound()
      return { ...filter, value: { kind: 'id', id } as const }
    }),
  )
}

/** The times that the filters leave within the block that is named; undefined where there is none, or nothing is left. */
async function timeOf(filters: ListFilters, context: ResultContext): Promise<IntegerRange | undefined> {
  const range = combineRange(filters.timestamp)
  const hash = lastValue(filters['block.hash'])
  const number = lastValue(filters['block.number'])
  if (hash === undefined && number === undefined) return range.lower > range.upper ? undefined : range
  const block = await findNamedBlock({ hash, number }, context)
  if (block === undefined) return undefined
  const lower = max(range.lower, block.start)
  const upper = min(range.upper, block.end)
  return lower > upper ? undefined : { ...range, lower, upper, hasLower: true, hasUpper: true }
}
