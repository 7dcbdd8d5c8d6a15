import type { Instant } from '#queries/balances/instant.ts'
import { max, min } from '#queries/common/bigints.ts'
import type { IntegerRange } from '#queries/common/integer-range.ts'
import type { Order } from '#queries/common/parameters.ts'
import { sorted } from '#queries/common/selection.ts'
import { findRelationBalances, type RelationBalance } from '#queries/tokens/find-relation-balances.ts'
import type { HoldingContext } from '#queries/tokens/reads.ts'

/** Accounts looked at in one step, after a first one of a page. */
const stepRows = 200

export interface HoldersQuery {
  readonly token: bigint
  readonly accounts: IntegerRange
  /** Hex digits; undefined: any. */
  readonly publicKey: string | undefined
  /** Of the balance. */
  readonly balance: IntegerRange
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
      if (satisfies(holder.balance, condition)) page.push(holder)
      if (page.length === limit) return page
    }
  }
  return page
}

/** Accounts in order, a step at a time: those given, those of a key, or else all that ever had a relation to the token. */
async function* findCandidates(context: HoldingContext, query: HoldersQuery): AsyncGenerator<readonly bigint[]> {
  const { accounts, publicKey, order, limit } = query
  const { lower, upper, equal, excluded } = accounts
  if (equal.length > 0) {
    const given = equal.filter((id) => id >= lower && id <= upper && !excluded.includes(id))
    yield sorted(publicKey === undefined ? given : await withKey(context, given, publicKey), order)
    return
  }
  let [from, to] = [lower, upper]
  for (let rows = limit; from <= to; rows = stepRows) {
    const step = await findStep(context, query, { from, to, rows })
    yield step.filter((id) => !excluded.includes(id))
    const last = step.at(-1)
    if (last === undefined || step.length < rows) return
    if (order === 'asc') from = max(from, last + 1n)
    else to = min(to, last - 1n)
    await context.pause()
  }
}

async function withKey({ rows }: HoldingContext, ids: readonly bigint[], publicKey: string): Promise<bigint[]> {
  const keys = ids.map((id) => [id] as const)
  const found = await rows.entities.get('entities', keys, ['publicKey'])
  return ids.filter((_id, index) => found[index]?.publicKey === publicKey)
}

interface Step {
  readonly from: bigint
  readonly to: bigint
  readonly rows: number
}

async function findStep(
  { rows }: HoldingContext,
  { token, publicKey, order }: HoldersQuery,
  { from, to, rows: limit }: Step,
): Promise<bigint[]> {
  const bounds = { lower: { value: from, inclusive: true }, upper: { value: to, inclusive: true } }
  const common = { ...bounds, descending: order === 'desc', limit }
  if (publicKey !== undefined) {
    const index = ['publicKey', 'id'] as const
    const select = ['id'] as const
    const found = await rows.entities.find({ ...common, collection: 'entities', index, prefix: [publicKey], select })
    return found.map(({ id }) => id)
  }
  const index = ['token', 'account'] as const
  const select = ['account'] as const
  const found = await rows.tokens.find({ ...common, collection: 'relations', index, prefix: [token], select })
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

function satisfies(balance: bigint, { lower, upper, excluded }: IntegerRange): boolean {
  return balance >= lower && balance <= upper && !excluded.includes(balance)
}
