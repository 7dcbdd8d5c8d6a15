import type { NftRow } from '#projections/nfts/schema.ts'
import type { ColumnSelection } from '#queries/common/column-bounds.ts'
import type { Order } from '#queries/common/parameters.ts'
import { isEmpty, type Range, readOf } from '#queries/common/range.ts'
import { prefixOf } from '#queries/common/tuple-range.ts'
import type { HeldQuery } from '#queries/nfts/find-held.ts'
import { behind, findPairs } from '#queries/nfts/pairs.ts'
import { type NftContext, nftFields } from '#queries/nfts/reads.ts'

/** Spenders by which an account's NFTs are found. */
export interface Spenders extends Range {
  /** A set of them; undefined: all between the bounds. */
  readonly equal: readonly bigint[] | undefined
}

interface Approval {
  readonly token: bigint
  readonly serial: bigint
  readonly spender: bigint
}

/** Approvals looked at in one step where many are not of the spenders asked for. */
const stepRows = 200

/**
 * NFTs of an account that one of some spenders may transfer, by token and serial number. Approvals are left over where a
 * treasury handed over what they were of: the rows found are candidates.
 */
export async function* approvedNfts(
  query: HeldQuery,
  spenders: Spenders,
  context: NftContext,
): AsyncGenerator<(NftRow | undefined)[]> {
  if (spenders.equal?.length === 0 || isEmpty(spenders)) return
  const size = spenders.equal === undefined ? stepRows : query.limit
  let { selection } = query
  for (;;) {
    const approvals = await findApprovals({ ...query, selection, limit: size }, spenders, context)
    const keys = approvals
      .filter(({ spender }) => spender >= spenders.lower && spender <= spenders.upper)
      .map(({ token, serial }) => [token, serial] as const)
    if (keys.length > 0) yield await context.rows.nfts.get('nfts', keys, nftFields)
    const last = approvals.at(-1)
    if (last === undefined || approvals.length < size) return
    selection = behind(selection, [last.token, last.serial], query.order)
    await context.pause()
  }
}

async function findApprovals(query: HeldQuery, { equal }: Spenders, context: NftContext): Promise<Approval[]> {
  if (equal === undefined) return findFor(query, undefined, context)
  const found = await Promise.all(equal.map((spender) => findFor(query, spender, context)))
  return found.length === 1
    ? found.flat()
    : found
        .flat()
        .sort((a, b) => compare(a, b, query.order))
        .slice(0, query.limit)
}

function findFor(
  { account, selection, order, limit }: HeldQuery,
  spender: bigint | undefined,
  { rows }: NftContext,
): Promise<Approval[]> {
  return findPairs(selection, order, limit, (box, rest) => {
    const page = {
      collection: 'approvals',
      ...readOf(box, order, rest),
      filters: serialFilter(selection),
      select: ['token', 'serial', 'spender'],
    } as const
    return spender === undefined
      ? rows.nfts.find({ ...page, index: ['owner', 'token', 'serial'], prefix: prefixOf([account], box) })
      : rows.nfts.find({
          ...page,
          index: ['owner', 'spender', 'token', 'serial'],
          prefix: prefixOf([account, spender], box),
        })
  })
}

function serialFilter({ second }: ColumnSelection) {
  return second === undefined ? [] : [{ field: 'serial', op: 'eq', value: second } as const]
}

function compare(a: Approval, b: Approval, order: Order): number {
  const isBefore = a.token === b.token ? a.serial < b.serial : a.token < b.token
  return isBefore === (order === 'asc') ? -1 : 1
}
