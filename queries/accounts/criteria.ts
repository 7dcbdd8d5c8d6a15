import type { accountListParameters } from '#queries/accounts/params.ts'
import { accountCondition } from '#queries/common/account-condition.ts'
import { type KeyCondition, keyCondition } from '#queries/common/account-parameters.ts'
import type { ListRequest } from '#queries/common/list-route.ts'
import { lastValue, type Order } from '#queries/common/parameters.ts'
import { includes, type Range, requireEqual, selectionOf } from '#queries/common/range.ts'
import { minInt64 } from '#src/domain/ledger-time.ts'

/** Which accounts to list. Encoded ids of shards above 511 are negative, and order so. */
export interface AccountCriteria extends Range {
  /** Ascending; undefined when the ids are not given one by one. */
  readonly ids: readonly bigint[] | undefined
  /** Further conditions on the ids. */
  readonly idMatches: (id: bigint) => boolean
  readonly publicKey: KeyCondition | undefined
  readonly withBalance: boolean
  /** undefined when balances are not asked about. A balance that is not known matches nothing. */
  readonly balanceMatches: ((balance: bigint) => boolean) | undefined
  readonly order: Order
  readonly limit: number
}

/** The list's parameters as one condition; undefined when no account can meet them. */
export function accountCriteria({
  filters,
  order,
  limit,
}: Pick<ListRequest<typeof accountListParameters>, 'filters' | 'order' | 'limit'>): AccountCriteria | undefined {
  const condition = accountCondition(filters['account.id'])
  if (condition === 'impossible') return undefined
  const withBalance = lastValue(filters.balance) ?? true
  const { oneOf, range } = condition
  const balances = filters['account.balance']
  const wanted = requireEqual(selectionOf(balances, minInt64))
  return {
    ids: oneOf,
    lower: range.lower,
    upper: range.upper,
    idMatches: (id) => includes(range, id),
    publicKey: keyCondition(filters['account.publickey']),
    withBalance,
    balanceMatches:
      withBalance && balances.length > 0 ? (balance) => wanted !== undefined && includes(wanted, balance) : undefined,
    order,
    limit,
  }
}
