import type { AllowanceRow } from '#projections/nfts/schema.ts'
import type { Order } from '#queries/common/parameters.ts'
import { versionAt } from '#queries/common/version-at.ts'
import { behind, findPairs, type PairRange, type Segment } from '#queries/nfts/pair-range.ts'
import type { NftContext } from '#queries/nfts/reads.ts'

export interface AllowancesQuery {
  readonly account: bigint
  /** Whether the account gave the approvals, or was given them. */
  readonly isOwner: boolean
  /** Other accounts with tokens. */
  readonly range: PairRange
  readonly order: Order
  readonly limit: number
}

const fields = ['owner', 'spender', 'token', 'from', 'until', 'approved'] as const

/** Approvals for all serials that are in force, by the other account and token. */
export async function findAllowances(query: AllowancesQuery, context: NftContext): Promise<AllowanceRow[]> {
  const { isOwner, order, limit } = query
  const found: AllowanceRow[] = []
  let { range } = query
  while (found.length < limit) {
    const page = await findPairs(range, order, limit, (segment, rest) =>
      findSegment({ ...query, range, limit: rest }, segment, context),
    )
    found.push(...(await inForce(page, context)))
    const last = page.at(-1)
    if (last === undefined || page.length < limit) break
    range = behind(range, [isOwner ? last.spender : last.owner, last.token], order)
    await context.pause()
  }
  return found.slice(0, limit)
}

/** A token that all must have is a column before the other account. */
function findSegment(
  { account, isOwner, range: { equal }, order, limit }: AllowancesQuery,
  { first, lower, upper }: Segment,
  { rows }: NftContext,
): Promise<AllowanceRow[]> {
  const page = {
    collection: 'allowances',
    lower: { value: lower, inclusive: true },
    upper: { value: upper, inclusive: true },
    descending: order === 'desc',
    limit,
    select: fields,
  } as const
  if (equal !== undefined && first === undefined) {
    const prefix = [account, 1, equal]
    return isOwner
      ? rows.nfts.find({ ...page, index: ['owner', 'approved', 'token', 'spender'], prefix })
      : rows.nfts.find({ ...page, index: ['spender', 'approved', 'token', 'owner'], prefix })
  }
  const prefix = first === undefined ? [account, 1] : [account, 1, first]
  return isOwner
    ? rows.nfts.find({ ...page, index: ['owner', 'approved', 'spender', 'token'], prefix })
    : rows.nfts.find({ ...page, index: ['spender', 'approved', 'owner', 'token'], prefix })
}

async function inForce(newest: readonly AllowanceRow[], { rows, checkpoint: { time } }: NftContext) {
  const versions = await Promise.all(
    newest.map((row) =>
      versionAt(row, time, ({ owner, spender, token }) =>
        rows.nfts.find({
          collection: 'allowanceVersions',
          index: ['owner', 'spender', 'token', 'from'],
          prefix: [owner, spender, token],
          upper: { value: time, inclusive: true },
          descending: true,
          limit: 1,
          select: fields,
        }),
      ),
    ),
  )
  return versions.filter((row) => row?.approved === 1) as AllowanceRow[]
}
