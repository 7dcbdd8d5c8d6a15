import { PointFlag } from '#projections/balances/series-packing.ts'
import { findPoint } from '#queries/balances/find-point.ts'
import { type Instant, isCurrent } from '#queries/balances/instant.ts'
import { max, min } from '#queries/common/bigints.ts'
import type { IntegerRange } from '#queries/common/integer-range.ts'
import type { Order } from '#queries/common/parameters.ts'
import { sorted } from '#queries/common/selection.ts'
import type { HoldingContext } from '#queries/tokens/reads.ts'

const { known, associated } = PointFlag
const listed = known | associated

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

export interface TokenHolder {
  readonly account: bigint
  /** Smallest unit of the token. */
  readonly balance: bigint
  /** ns; when the balance changed last; null when unknown. */
  readonly changed: bigint | null
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
  const found = await rows.balances.get(
    'tokenBalances',
    accounts.map((account) => [account, token]),
    ['account', 'token', 'changed', 'from', 'segment', 'chunks', 'points', 'tail'],
  )
  const holders = await Promise.all(
    found.map(async (row): Promise<TokenHolder | undefined> => {
      const point = row && (await findPoint(rows.balances, row, at))
      if (point === undefined || (point.flags & listed) !== listed) return undefined
      const changed = isCurrent({ from: row!.from, since: point.time }, at) ? row!.changed : point.time
      return { account: row!.account, balance: point.amount, changed }
    }),
  )
  return holders.filter((holder) => holder !== undefined)
}

function satisfies(balance: bigint, { lower, upper, excluded }: IntegerRange): boolean {
  return balance >= lower && balance <= upper && !excluded.includes(balance)
}
