import { type AccountCondition, accountCondition } from '#queries/common/account-condition.ts'
import type { IntegerRange } from '#queries/common/integer-range.ts'
import { combineRange, requireEqual } from '#queries/common/integer-range.ts'
import type { Filter, Filters, Order } from '#queries/common/parameters.ts'
import { lastValue, pageSize } from '#queries/common/parameters.ts'
import type { QuerySettings } from '#queries/common/settings.ts'
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
  readonly time: IntegerRange
  readonly order: Order
  readonly limit: number
  /** Conditions other than the time contradict each other: no transaction can meet them. */
  readonly impossible: boolean
}

/** The list's parameters as one condition; undefined when the times contradict each other. */
export function criteriaOf(filters: Filters<typeof listParameters>, settings: QuerySettings): Criteria | undefined {
  const time = requireEqual(combineRange(filters.timestamp))
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
    order: lastValue(filters.order) ?? 'desc',
    limit: pageSize(filters.limit, settings),
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
