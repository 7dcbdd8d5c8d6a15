import { type AllowanceRow, nftsSchema } from '#projections/nfts/schema.ts'
import type { ColumnSelection } from '#queries/common/column-bounds.ts'
import type { Order } from '#queries/common/parameters.ts'
import { type Box, prefixOf } from '#queries/common/tuple-range.ts'
import { versionsOf } from '#queries/common/versions-of.ts'
import { behind, findPairs } from '#queries/nfts/pairs.ts'
import type { NftContext } from '#queries/nfts/reads.ts'

export interface AllowancesQuery {
  readonly account: bigint
  /** Whether the account gave the approvals, or was given them. */
  readonly isOwner: boolean
  /** Other accounts with tokens. */
  readonly selection: ColumnSelection
  readonly order: Order
  readonly limit: number
}

const allowances = versionsOf(nftsSchema, 'allowances')
const fields = ['owner', 'spender', 'token', 'from', 'until', 'approved'] as const

/** Approvals for all serials that are in force, by the other account and token. */
export async function findAllowances(query: AllowancesQuery, context: NftContext): Promise<AllowanceRow[]> {
  const { isOwner, order, limit } = query
  const found: AllowanceRow[] = []
  let { selection } = query
  while (found.length < limit) {
    const page = await findPairs(selection, order, limit, (box, rest) =>
      findBox({ ...query, selection, limit: rest }, box, context),
    )
    found.push(...(await inForce(page, context)))
    const last = page.at(-1)
    if (last === undefined || page.length < limit) break
    selection = behind(selection, [isOwner ? last.spender : last.owner, last.token], order)
    await context.pause()
  }
  return found.slice(0, limit)
}

/** A token that all must have is a column before the other account. */
function findBox(
  { account, isOwner, selection: { second: token }, order, limit }: AllowancesQuery,
  box: Box,
  { rows }: NftContext,
): Promise<AllowanceRow[]> {
  const page = {
    collection: 'allowances',
    lower: { value: box.lower, inclusive: true },
    upper: { value: box.upper, inclusive: true },
    descending: order === 'desc',
    limit,
    select: fields,
  } as const
  if (token !== undefined && box.equal.length === 0) {
    const prefix = [account, 1, token] as const
    return isOwner
      ? rows.nfts.find({ ...page, index: ['owner', 'approved', 'token', 'spender'], prefix })
      : rows.nfts.find({ ...page, index: ['spender', 'approved', 'token', 'owner'], prefix })
  }
  const prefix = prefixOf([account, 1], box)
  return isOwner
    ? rows.nfts.find({ ...page, index: ['owner', 'approved', 'spender', 'token'], prefix })
    : rows.nfts.find({ ...page, index: ['spender', 'approved', 'owner', 'token'], prefix })
}

async function inForce(newest: readonly AllowanceRow[], { rows, checkpoint: { time } }: NftContext) {
  const versions = await allowances.atInstant(rows.nfts, newest, time, fields)
  return versions.filter((row) => row?.approved === 1) as AllowanceRow[]
}
