import { type AccountCondition, accountCondition } from '#queries/common/account-condition.ts'
import type { ListRequest } from '#queries/common/list-route.ts'
import { type Filter, lastValue, type Order } from '#queries/common/parameters.ts'
import { requireEqual, type Selection, selectionOf } from '#queries/common/range.ts'
import type { listParameters, Sign, TypeChoice } from '#queries/transactions/params.ts'
import { isNamedType } from '#queries/transactions/params.ts'

export interface TypeCondition {
  /** Undefined when types without a name are asked for as well: these cannot be listed. */
  readonly numbers: readonly number[] | undefined
  readonly matches: (type: number) => boolean
}

/** What a transaction must be like to be on the list. */
export interface Criteria {
  readonly accounts: AccountCondition | undefined
  /** Tokens of which it moves or changes one; undefined for any transaction. */
  readonly tokens: readonly bigint[] | undefined
  readonly sign: Sign | undefined
  readonly success: boolean | undefined
  readonly types: TypeCondition | undefined
  /** Consensus times, combined; `eq` applied. */
  readonly time: Selection
  readonly order: Order
  readonly limit: number
  /** Conditions other than the time contradict each other: no transaction can meet them. */
  readonly impossible: boolean
}

/** What a page is asked for, by whichever route. */
export type PageRequest = Pick<ListRequest<typeof listParameters>, 'filters' | 'order' | 'limit'>

/** The list's parameters as one condition; undefined when the times contradict each other. */
export function criteriaOf({ filters, order, limit }: PageRequest): Criteria | undefined {
  const time = requireEqual(selectionOf(filters.timestamp))
  const accounts = filters['account.id'].length === 0 ? undefined : accountCondition(filters['account.id'])
  const signs = new Set(filters.type.map(({ value }) => value))
  if (time === undefined) return undefined
  const result = lastValue(filters.result)
  return {
    accounts: accounts === 'impossible' ? undefined : accounts,
    impossible: accounts === 'impossible' || signs.size > 1,
    tokens: filters['token.id'].length === 0 ? undefined : [...new Set(filters['token.id'].map(({ value }) => value))],
    sign: lastValue(filters.type),
    success: result === undefined ? undefined : result === 'success',
    types: filters.transactiontype.length === 0 ? undefined : typeCondition(filters.transactiontype),
    time,
    order,
    limit,
  }
}

function typeCondition(filters: readonly Filter<TypeChoice>[]): TypeCondition {
  const numbers = new Set<number>()
  let unnamed = false
  for (const { value } of filters) {
    if (value.kind === 'unnamed') unnamed = true
    else for (const type of value.types) numbers.add(type)
  }
  return {
    numbers: unnamed ? undefined : [...numbers],
    matches: (type) => numbers.has(type) || (unnamed && !isNamedType(type)),
  }
}
