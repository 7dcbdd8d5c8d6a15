import { PointFlag } from '#projections/balances/series-packing.ts'
import { findPoint } from '#queries/balances/find-point.ts'
import { max, min } from '#queries/common/bigints.ts'
import type { Order } from '#queries/common/parameters.ts'
import type { HoldingContext } from '#queries/tokens/reads.ts'

const { known, associated } = PointFlag
const listed = known | associated

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

const fields = ['account', 'token', 'from', 'segment', 'chunks', 'points', 'tail'] as const

/** Tokens in a range that an account may hold at the request's bound, with their balances, a step at a time. */
export async function* findHeldTokens(
  context: HoldingContext,
  account: bigint,
  { order, ...range }: TokenRange,
  stepRows: number,
): AsyncGenerator<HeldToken[]> {
  let { lower, upper } = range
  while (lower <= upper) {
    const page = await context.rows.balances.find({
      collection: 'tokenBalances',
      index: ['account', 'token'],
      prefix: [account],
      lower: { value: lower, inclusive: true },
      upper: { value: upper, inclusive: true },
      descending: order === 'desc',
      limit: stepRows,
      select: fields,
    })
    yield await heldOf(context, page)
    const last = page.at(-1)
    if (last === undefined || page.length < stepRows) return
    if (order === 'asc') lower = max(lower, last.token + 1n)
    else upper = min(upper, last.token - 1n)
    await context.pause()
  }
}

/** Those of the given tokens that an account may hold, in their order. */
export async function findGivenTokens(
  context: HoldingContext,
  account: bigint,
  tokens: readonly bigint[],
): Promise<HeldToken[]> {
  const keys = tokens.map((token) => [account, token] as const)
  const rows = await context.rows.balances.get('tokenBalances', keys, fields)
  return heldOf(
    context,
    rows.filter((row) => row !== undefined),
  )
}

type Row = Parameters<typeof findPoint>[1]

async function heldOf({ rows, checkpoint: bound }: HoldingContext, page: readonly Row[]): Promise<HeldToken[]> {
  const points = await Promise.all(page.map((row) => findPoint(rows.balances, row, { bound, time: undefined })))
  return page.flatMap(({ token }, index) => {
    const point = points[index]
    return point && (point.flags & listed) === listed ? [{ token, balance: point.amount }] : []
  })
}
