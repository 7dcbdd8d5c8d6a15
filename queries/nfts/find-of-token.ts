import { type HeldLot, unpackLots } from '#projections/nfts/lots-packing.ts'
import type { NftRow } from '#projections/nfts/schema.ts'
import type { Order } from '#queries/common/parameters.ts'
import { findInLots, pagesOfLots } from '#queries/nfts/find-in-lots.ts'
import type { Bounds } from '#queries/nfts/pairs.ts'
import { type NftContext, nftFields } from '#queries/nfts/reads.ts'

export interface TokenQuery {
  readonly token: bigint
  readonly serials: Bounds
  /** Ids of owners; undefined: anybody, and nobody. */
  readonly owners: Bounds | undefined
  readonly order: Order
  readonly limit: number
}

/** Owners whose NFTs are looked up one by one. Where more are asked for, most serial numbers are of one of them. */
const ownersMax = 64

/** NFTs of a token by serial number: those of a few owners from their lots, else every one. */
export async function* nftsOfToken(query: TokenQuery, context: NftContext): AsyncGenerator<NftRow[]> {
  const lots = query.owners && (await findLots(query.token, query.owners, context))
  if (lots === undefined) {
    yield* allNfts(query, context)
    return
  }
  const own = { ...query, lots }
  yield* pagesOfLots(own, await findInLots(own, context), context)
}

/** The lots that owners between two ids hold; undefined when they are too many. */
async function findLots(
  token: bigint,
  { lower, upper }: Bounds,
  { rows }: NftContext,
): Promise<readonly HeldLot[] | undefined> {
  const found = await rows.nfts.find({
    collection: 'holdings',
    index: ['token', 'listed', 'account'],
    prefix: [token, 1],
    lower: { value: lower, inclusive: true },
    upper: { value: upper, inclusive: true },
    limit: ownersMax + 1,
    select: ['lots'],
  })
  return found.length > ownersMax ? undefined : found.flatMap(({ lots }) => unpackLots(lots))
}

async function* allNfts({ token, serials, order, limit }: TokenQuery, { rows }: NftContext): AsyncGenerator<NftRow[]> {
  let { lower, upper } = serials
  while (lower <= upper) {
    const page = await rows.nfts.find({
      collection: 'nfts',
      index: ['token', 'serial'],
      prefix: [token],
      lower: { value: lower, inclusive: true },
      upper: { value: upper, inclusive: true },
      descending: order === 'desc',
      limit,
      select: nftFields,
    })
    yield page
    const last = page.at(-1)
    if (last === undefined || page.length < limit) return
    if (order === 'asc') lower = last.serial + 1n
    else upper = last.serial - 1n
  }
}
