import { assertPossible } from '#queries/blocks/find-blocks.ts'
import { type AccountCondition, accountCondition } from '#queries/common/account-condition.ts'
import type { EntityReference } from '#queries/common/entity-id-parameter.ts'
import { invalidParameters, notFound } from '#queries/common/errors.ts'
import { findHolder } from '#queries/common/find-entity.ts'
import type { ListRequest } from '#queries/common/list-route.ts'
import { type Filter, type Filters, lastValue, type Order } from '#queries/common/parameters.ts'
import { includes, intersect, isEmpty, type Selection, selectionOf } from '#queries/common/range.ts'
import { findNamedBlock } from '#queries/contract-results/find-blocks.ts'
import type { resultListParameters } from '#queries/contract-results/params.ts'
import type { ResultContext } from '#queries/contract-results/reads.ts'

/** What a result must be like to be on a list. */
export interface ResultCriteria {
  readonly contract: bigint | undefined
  /** Whether only results of some senders are asked for. */
  readonly hasSender: boolean
  /** Senders; undefined where they are not known. */
  readonly senders: readonly bigint[] | undefined
  readonly matchesSender: (sender: bigint | null) => boolean
  /** Consensus times; those given with `eq` are a set. */
  readonly time: Selection
  readonly indexes: ReadonlySet<number> | undefined
  /** Whether results of what the network made itself are listed, too. */
  readonly internal: boolean
  readonly order: Order
  readonly limit: number
}

type ListFilters = Filters<typeof resultListParameters>

/** The list's parameters as one condition; undefined when nothing can meet it. */
export async function resultCriteria(
  { filters, order, limit }: Pick<ListRequest<typeof resultListParameters>, 'filters' | 'order' | 'limit'>,
  contract: bigint | undefined,
  context: ResultContext,
): Promise<ResultCriteria | undefined> {
  await assertPossible(
    filters['block.number'].map(({ value }) => value),
    'block.number',
    context,
  )
  assertUsage(filters)
  const from = filters.from.length === 0 ? undefined : accountCondition(await resolved(filters.from, context))
  const time = await timeOf(filters, context)
  if (from === 'impossible' || time === undefined) return undefined
  const indexes = filters['transaction.index'].map(({ value }) => value)
  return {
    contract,
    hasSender: from !== undefined,
    senders: from?.oneOf,
    matchesSender: (sender) => from === undefined || (sender !== null && isSender(sender, from)),
    time,
    indexes: indexes.length === 0 ? undefined : new Set(indexes),
    internal: lastValue(filters.internal) ?? false,
    order,
    limit,
  }
}

function isSender(sender: bigint, { oneOf, range }: AccountCondition): boolean {
  return oneOf?.includes(sender) ?? includes(range, sender)
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
  { rows }: ResultContext,
): Promise<Filter<EntityReference>[]> {
  return Promise.all(
    filters.map(async (filter) => {
      if (filter.value.kind === 'id') return filter
      const id = await findHolder(rows.entities, Buffer.from(filter.value.hex, 'hex'))
      if (id === undefined) throw notFound()
      return { ...filter, value: { kind: 'id', id } as const }
    }),
  )
}

/** The times that the filters leave within the block that is named; undefined where there is none, or nothing is left. */
async function timeOf(filters: ListFilters, context: ResultContext): Promise<Selection | undefined> {
  const range = selectionOf(filters.timestamp)
  const hash = lastValue(filters['block.hash'])
  const number = lastValue(filters['block.number'])
  if (hash === undefined && number === undefined) return isEmpty(range) ? undefined : range
  const block = await findNamedBlock({ hash, number }, context)
  if (block === undefined) return undefined
  const within = intersect(range, { lower: block.start, upper: block.end })
  return isEmpty(within) ? undefined : { ...range, ...within, hasLower: true, hasUpper: true }
}
