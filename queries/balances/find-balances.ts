import type { Holding } from '#projections/balances/packing/holdings.ts'
import { findHbarBalances, type HbarBalance } from '#queries/balances/find-account-balances.ts'
import { findHolders, type HoldersQuery } from '#queries/balances/find-holders.ts'
import { findTokenBalances } from '#queries/balances/find-token-balances.ts'
import type { BalanceContext } from '#queries/balances/reads.ts'
import { includes, type Selection } from '#queries/common/range.ts'

export interface ListedBalance extends HbarBalance {
  readonly account: bigint
  readonly tokens: readonly Holding[]
}

export interface BalancesQuery extends HoldersQuery {
  /** Conditions on the balance; undefined: any, and unknown ones too. */
  readonly balance: Selection | undefined
  readonly tokensMax: number
}

/**
 * Balances of a page of accounts. Of the present those are listed that exist, known or not; of the past those whose balance
 * was known.
 */
export async function findBalances(context: BalanceContext, query: BalancesQuery): Promise<ListedBalance[]> {
  const { at, limit, tokensMax, order } = query
  const rows = context.rows.balances
  const page: (HbarBalance & { account: bigint })[] = []
  for await (const accounts of findHolders(context, query)) {
    for (const found of await findListed(context, accounts, query)) if (page.length < limit) page.push(found)
    if (page.length === limit) break
  }
  const accounts = page.map(({ account }) => account)
  const tokens = await findTokenBalances(rows, { accounts, at, tokensMax, order })
  return page.map(({ account, balance, timestamp }, index) => ({
    account,
    balance,
    timestamp,
    tokens: tokens[index] ?? [],
  }))
}

async function findListed(
  { rows: { balances: rows } }: BalanceContext,
  accounts: readonly bigint[],
  query: BalancesQuery,
) {
  const { at, balance: condition } = query
  const balances = await findHbarBalances(rows, accounts, at)
  return accounts.flatMap((account, index) => {
    const { exists, balance, timestamp } = balances[index]!
    const isListed = at.time === undefined ? exists : balance !== null
    const isWanted = condition === undefined || (balance !== null && includes(condition, balance))
    return isListed && isWanted ? [{ account, balance, timestamp }] : []
  })
}
