import type { Lot } from '#projections/nfts/packing.ts'
import type { NftRow } from '#projections/nfts/schema.ts'
import type { Order } from '#queries/common/parameters.ts'
import { after, isEmpty, type Range, readOf } from '#queries/common/range.ts'
import { type NftContext, nftFields } from '#queries/nfts/reads.ts'

/** NFTs of one token, by the lots that they are in. */
export interface LotsQuery {
  readonly token: bigint
  readonly lots: readonly Lot[]
  readonly serials: Range
  readonly order: Order
  readonly limit: number
}

/** The first of the NFTs in some lots by serial number: one read a lot. Most accounts hold one lot of a token. */
export async function findInLots(
  { token, lots, serials, order, limit }: LotsQuery,
  { rows }: Pick<NftContext, 'rows'>,
): Promise<NftRow[]> {
  if (isEmpty(serials)) return []
  const found = await Promise.all(
    lots.map(({ receiver, lot }) =>
      rows.nfts.find({
        collection: 'nfts',
        index: ['receiver', 'token', 'lot', 'serial'],
        prefix: [receiver, token, lot],
        ...readOf(serials, order, limit),
        select: nftFields,
      }),
    ),
  )
  const [only = []] = found
  if (found.length <= 1) return only
  const merged = found.flat().sort((a, b) => (a.serial < b.serial === (order === 'asc') ? -1 : 1))
  return merged.slice(0, limit)
}

/** The pages behind one that is there already. */
export async function* pagesOfLots(query: LotsQuery, first: NftRow[], context: NftContext): AsyncGenerator<NftRow[]> {
  let page = first
  let { serials } = query
  for (;;) {
    yield page
    const last = page.at(-1)
    if (last === undefined || page.length < query.limit) return
    serials = after(serials, last.serial, query.order)
    page = await findInLots({ ...query, serials }, context)
  }
}
