import type { accountListParameters } from '#queries/accounts/params.ts'
import { accountCondition, boundsOf, meets } from '#queries/common/account-condition.ts'
import type { Filter, Filters, Order } from '#queries/common/parameters.ts'
import { lastValue, pageSize } from '#queries/common/parameters.ts'
import type { QuerySettings } from '#queries/common/settings.ts'

/** Which accounts to list. Encoded ids of shards above 511 are negative, and order so. */
export interface AccountCriteria {
  /** Ascending; undefined when the ids are not given one by one. */
  readonly ids: readonly bigint[] | undefined
  /** Inclusive bounds of the ids, and further conditions on them. */
  readonly lower: bigint
  readonly upper: bigint
  readonly idMatches: (id: bigint) => boolean
  readonly publicKey: string | undefined
  readonly withBalance: boolean
  /** undefined when balances are not asked about. A balance that is not known matches nothing. */
  readonly balanceMatches: ((balance: bigint) => boolean) | undefined
  readonly order: Order
  readonly limit: number
}

/** The list's parameters as one condition; undefined when no account can meet them. */
export function accountCriteria(
  filters: Filters<typeof accountListParameters>,
  settings: QuerySettings,
): AccountCriteria | undefined {
  const condition = accountCondition(filters['account.id'])
  if (condition === 'impossible') return undefined
  const withBalance = lastValue(filters.balance) ?? true
  const { oneOf, comparisons } = condition
  const balances = filters['account.balance']
  return {
    ids: oneOf && [...oneOf].sort((a, b) => (a < b ? -1 : 1)),
    ...boundsOf(comparisons),
    idMatches: (id) => meets(id, comparisons),
    publicKey: lastValue(filters['account.publickey']),
    withBalance,
    balanceMatches: withBalance && balances.length > 0 ? (balance) => meetsAll(balance, balances) : undefined,
    order: lastValue(filters.order) ?? 'asc',
    limit: pageSize(filters.limit, settings),
  }
}

/** Equal values form a set; all others must hold. */
function meetsAll(balance: bigint, filters: readonly Filter<bigint>[]): boolean {
  const equal = filters.filter(({ operator }) => operator === 'eq')
  const others = filters.filter(({ operator }) => operator !== 'eq')
  return meets(balance, others) && (equal.length === 0 || equal.some(({ value }) => value === balance))
}
