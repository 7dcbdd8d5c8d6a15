import type { Instant } from '#queries/balances/instant.ts'
import { findIdsWithKey, withKey } from '#queries/common/find-by-public-key.ts'
import { inSteps, type Step } from '#queries/common/in-steps.ts'
import type { Order } from '#queries/common/parameters.ts'
import { includes, type Selection, valuesOf } from '#queries/common/range.ts'
import { findRelationBalances, type RelationBalance } from '#queries/tokens/find-relation-balances.ts'
import type { HoldingContext } from '#queries/tokens/reads.ts'

export interface HoldersQuery {
  readonly token: bigint
  readonly accounts: Selection
  /** Hex digits; undefined: any. */
  readonly publicKey: string | undefined
  /** Of the balance. */
  readonly balance: Selection
  readonly at: Instant
  readonly order: Order
  readonly limit: number
}

export interface TokenHolder extends RelationBalance {
  readonly account: bigint
}

/** A page of the accounts that may hold the token at an instant, by id. */
export async function findHoldersOf(context: HoldingContext, query: HoldersQuery): Promise<TokenHolder[]> {
  const { limit, balance: condition } = query
  const page: TokenHolder[] = []
  for await (const accounts of findCandidates(context, query)) {
    for (const holder of await findBalances(context, accounts, query)) {
      if (includes(condition, holder.balance)) page.push(holder)
      if (page.length === limit) return page
    }
  }
  return page
}

/** Accounts in order, a step at a time: those given, those of a key, or else all that ever had a relation to the token. */
async function* findCandidates(context: HoldingContext, query: HoldersQuery): AsyncGenerator<readonly bigint[]> {
  const { accounts, publicKey, order, limit } = query
  const given = valuesOf(accounts, order)
  if (given !== undefined) {
    const isWanted = (key: string | null | undefined): boolean => key === publicKey
    yield publicKey === undefined ? given : await withKey(context.rows.entities, given, isWanted)
    return
  }
  const find = (step: Step): Promise<bigint[]> => findStep(context, query, step)
  for await (const ids of inSteps({ ...accounts, order, limit }, context.pause, find, (id) => id))
    yield ids.filter((id) => !accounts.excluded.includes(id))
}

async function findStep({ rows }: HoldingContext, { token, publicKey }: HoldersQuery, step: Step): Promise<bigint[]> {
  if (publicKey !== undefined) return findIdsWithKey(rows.entities, publicKey, step)
  const index = ['token', 'account'] as const
  const select = ['account'] as const
  const found = await rows.tokens.newest.find({ collection: 'relations', index, prefix: [token], ...step, select })
  return found.map(({ account }) => account)
}

async function findBalances(
  { rows }: HoldingContext,
  accounts: readonly bigint[],
  { token, at }: HoldersQuery,
): Promise<TokenHolder[]> {
  const pairs = accounts.map((account) => [account, token] as const)
  const found = await findRelationBalances(rows.balances, pairs, at)
  const holders: TokenHolder[] = []
  for (const [index, held] of found.entries())
    if (held !== undefined) holders.push({ account: accounts[index]!, balance: held.balance, changed: held.changed })
  return holders
}
