import { unpackHoldings } from '#projections/balances/packing/holdings.ts'
import { type Instant, isCurrent } from '#queries/balances/instant.ts'
import { inSteps } from '#queries/common/in-steps.ts'
import type { Order } from '#queries/common/parameters.ts'
import type { Range } from '#queries/common/range.ts'
import {
  balancesOf,
  findRelationBalances,
  presentFields,
  type RelationBalance,
} from '#queries/tokens/find-relation-balances.ts'
import type { HoldingContext } from '#queries/tokens/reads.ts'

export interface TokenRange extends Range {
  readonly order: Order
}

export interface HeldToken {
  readonly token: bigint
  /** Smallest unit. */
  readonly balance: bigint
}

/** Tokens in a range that an account may hold at the request's instant, with their balances, a step at a time. */
export async function* findHeldTokens(
  context: HoldingContext,
  account: bigint,
  { lower, upper, order }: TokenRange,
  stepRows: number,
): AsyncGenerator<HeldToken[]> {
  const packed = await findPacked(context, account)
  if (packed !== undefined) {
    const held = packed.filter(({ token }) => token >= lower && token <= upper)
    if (order === 'desc') held.reverse()
    for (let at = 0; at < held.length; at += stepRows) yield held.slice(at, at + stepRows)
    return
  }
  const query = {
    collection: 'tokenBalances',
    index: ['account', 'token'],
    prefix: [account],
    select: presentFields,
  } as const
  const { rows, pause } = context
  const steps = { lower, upper, order, limit: stepRows, next: () => stepRows }
  for await (const page of inSteps(
    steps,
    pause,
    (step) => rows.balances.find({ ...query, ...step }),
    ({ token }) => token,
  )) {
    const pairs = page.map(({ token }) => [account, token] as const)
    yield heldOf(pairs, await balancesOf(rows.balances, pairs, page, presentOf(context)))
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
  return { checkpoint, time: undefined }
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
