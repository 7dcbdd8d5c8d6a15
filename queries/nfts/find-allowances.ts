import type { AllowanceRow } from '#projections/nfts/schema.ts'
import type { ColumnSelection } from '#queries/common/column-bounds.ts'
import type { Order } from '#queries/common/parameters.ts'
import { readOf } from '#queries/common/range.ts'
import { type Box, prefixOf } from '#queries/common/tuple-range.ts'
import { findPairs } from '#queries/nfts/pairs.ts'
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

const fields = ['owner', 'spender', 'token', 'from', 'until', 'approved'] as const

/** Approvals for all serials that are in force, by the other account and token. */
export function findAllowances(query: AllowancesQuery, context: NftContext): Promise<AllowanceRow[]> {
  const { selection, order, limit } = query
  return findPairs(selection, order, limit, (box, rest) => findBox({ ...query, limit: rest }, box, context))
}

/** A token that all must have is a column before the other account. */
function findBox(
  { account, isOwner, selection: { second: token }, order, limit }: AllowancesQuery,
  box: Box,
  { rows }: NftContext,
): Promise<AllowanceRow[]> {
  const page = { collection: 'allowances', ...readOf(box, order, limit), select: fields } as const
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
