import { unpackHoldings } from '#projections/balances/holdings-packing.ts'
import { type Instant, isCurrent } from '#queries/balances/instant.ts'
import { max, min } from '#queries/common/bigints.ts'
import type { Order } from '#queries/common/parameters.ts'
import {
  balancesOf,
  findRelationBalances,
  presentFields,
  type RelationBalance,
} from '#queries/tokens/find-relation-balances.ts'
import type { HoldingContext } from '#queries/tokens/reads.ts'

export interface TokenRange {
  /** Inclusive. */
  readonly lower: bigint
  readonly upper: bigint
  readonly order: Order
}

export interface HeldToken {
  readonly token: bigint
  /** Smallest unit. */
  readonly balance: bigint
}

/** Tokens in a range that an account may hold at the request's bound, with their balances, a step at a time. */
export async function* findHeldTokens(
  context: HoldingContext,
  account: bigint,
  { order, ...range }: TokenRange,
  stepRows: number,
): AsyncGenerator<HeldToken[]> {
  let { lower, upper } = range
  const packed = await findPacked(context, account)
  if (packed !== undefined) {
    const held = packed.filter(({ token }) => token >= lower && token <= upper)
    if (order === 'desc') held.reverse()
    for (let at = 0; at < held.length; at += stepRows) yield held.slice(at, at + stepRows)
    return
  }
  while (lower <= upper) {
    const page = await context.rows.balances.find({
      collection: 'tokenBalances',
      index: ['account', 'token'],
      prefix: [account],
      lower: { value: lower, inclusive: true },
      upper: { value: upper, inclusive: true },
      descending: order === 'desc',
      limit: stepRows,
      select: presentFields,
    })
    const pairs = page.map(({ token }) => [account, token] as const)
    yield heldOf(pairs, await balancesOf(context.rows.balances, pairs, page, presentOf(context)))
    const last = page.at(-1)
    if (last === undefined || page.length < stepRows) return
    if (order === 'asc') lower = max(lower, last.token + 1n)
    else upper = min(upper, last.token - 1n)
    await context.pause()
  }
}

/** All that the account may hold, in ascending order, from one row; undefined where that has too many, or is of a later time. */
async function findPacked(context: HoldingContext, account: bigint): Promise<HeldToken[] | undefined> {
  const [row] = await context.rows.balances.get('holdings', [[account]], ['since', 'from', 'tokens'])
  if (row === undefined) return []
  return row.tokens === null || !isCurrent(row, presentOf(context)) ? undefined : unpackHoldings(row.tokens)
}

/** Those of the given tokens that an account may hold, in their order. */
export async function findGivenTokens(
  context: HoldingContext,
  account: bigint,
  tokens: readonly bigint[],
): Promise<HeldToken[]> {
  const pairs = tokens.map((token) => [account, token] as const)
  return heldOf(pairs, await findRelationBalances(context.rows.balances, pairs, presentOf(context)))
}

function presentOf({ checkpoint }: HoldingContext): Instant {
  return { bound: checkpoint, time: undefined }
}

function heldOf(
  pairs: readonly (readonly [bigint, bigint])[],
  balances: readonly (RelationBalance | undefined)[],
): HeldToken[] {
  return pairs.flatMap(([, token], index) => {
    const held = balances[index]
    return held ? [{ token, balance: held.balance }] : []
  })
}
