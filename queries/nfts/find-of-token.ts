import { type HeldLot, unpackLots } from '#projections/nfts/packing.ts'
import type { NftRow } from '#projections/nfts/schema.ts'
import { inSteps, type Step } from '#queries/common/in-steps.ts'
import type { Order } from '#queries/common/parameters.ts'
import { type Range, readOf } from '#queries/common/range.ts'
import { findInLots, pagesOfLots } from '#queries/nfts/find-in-lots.ts'
import { type NftContext, nftFields } from '#queries/nfts/reads.ts'

export interface TokenQuery {
  readonly token: bigint
  readonly serials: Range
  /** Ids of owners; undefined: anybody, and nobody. */
  readonly owners: Range | undefined
  readonly order: Order
  readonly limit: number
}

/** Owners whose NFTs are looked up one by one. Where more are asked for, most serial numbers are of one of them. */
const ownersMax = 64

/** NFTs of a token by serial number: those of a few owners from their lots, else every one. */
export async function* nftsOfToken(query: TokenQuery, context: NftContext): AsyncGenerator<readonly NftRow[]> {
  const lots = query.owners && (await findLots(query.token, query.owners, context))
  if (lots === undefined) {
    yield* allNfts(query, context)
    return
  }
  const own = { ...query, lots }
  yield* pagesOfLots(own, await findInLots(own, context), context)
}

/** The lots that owners between two ids hold; undefined when they are too many. */
async function findLots(token: bigint, owners: Range, { rows }: NftContext): Promise<readonly HeldLot[] | undefined> {
  const found = await rows.nfts.find({
    collection: 'holdings',
    index: ['token', 'listed', 'account'],
    prefix: [token, 1],
    ...readOf(owners, 'asc', ownersMax + 1),
    select: ['lots'],
  })
  return found.length > ownersMax ? undefined : found.flatMap(({ lots }) => unpackLots(lots))
}

function allNfts(
  { token, serials, order, limit }: TokenQuery,
  { rows, pause }: NftContext,
): AsyncGenerator<readonly NftRow[]> {
  const query = { collection: 'nfts', index: ['token', 'serial'], prefix: [token], select: nftFields } as const
  const find = (step: Step) => rows.nfts.find({ ...query, ...step })
  return inSteps({ ...serials, order, limit, next: () => limit }, pause, find, ({ serial }) => serial)
}
