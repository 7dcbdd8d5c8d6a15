import { type HeldLot, unpackLots } from '#projections/nfts/lots-packing.ts'
import type { NftRow } from '#projections/nfts/schema.ts'
import type { ColumnSelection } from '#queries/common/column-bounds.ts'
import type { Order } from '#queries/common/parameters.ts'
import { findInLots, type LotsQuery, pagesOfLots } from '#queries/nfts/find-in-lots.ts'
import { secondBounds } from '#queries/nfts/pairs.ts'
import type { NftContext } from '#queries/nfts/reads.ts'
import { maxInt64, minInt64 } from '#src/domain/ledger-time.ts'

export interface HeldQuery {
  readonly account: bigint
  /** Tokens with their serial numbers. */
  readonly selection: ColumnSelection
  readonly order: Order
  readonly limit: number
}

interface Holding {
  readonly token: bigint
  readonly lots: readonly HeldLot[]
}

/**
 * NFTs that an account holds by token and serial number: of the tokens that fill a page, one read a lot, all at once. What it
 * gives away while they are read is not among them.
 */
export async function* heldNfts(query: HeldQuery, context: NftContext): AsyncGenerator<NftRow[]> {
  const { selection, order, limit } = query
  for await (const holdings of heldTokens(query, context)) {
    const queries = holdings.map(
      ({ token, lots }): LotsQuery => ({ token, lots, serials: secondBounds(selection, token), order, limit }),
    )
    const firsts = await Promise.all(queries.map((each) => findInLots(each, context)))
    for (const [index, each] of queries.entries()) yield* pagesOfLots(each, firsts[index]!, context)
  }
}

/** As many tokens at once as hold a page of NFTs. */
async function* heldTokens(
  { account, selection: { range }, order, limit }: HeldQuery,
  { rows, pause }: NftContext,
): AsyncGenerator<Holding[]> {
  let [lower = minInt64] = range.lower
  let [upper = maxInt64] = range.upper
  while (lower <= upper) {
    const found = await rows.nfts.find({
      collection: 'holdings',
      index: ['account', 'listed', 'token'],
      prefix: [account, 1],
      lower: { value: lower, inclusive: true },
      upper: { value: upper, inclusive: true },
      descending: order === 'desc',
      limit,
      select: ['token', 'lots'],
    })
    yield* chunksOf(
      found.map(({ token, lots }) => ({ token, lots: unpackLots(lots) })),
      limit,
    )
    const last = found.at(-1)
    if (last === undefined || found.length < limit) return
    if (order === 'asc') lower = last.token + 1n
    else upper = last.token - 1n
    await pause()
  }
}

function* chunksOf(holdings: readonly Holding[], nfts: number): Generator<Holding[]> {
  let chunk: Holding[] = []
  let count = 0n
  for (const holding of holdings) {
    chunk.push(holding)
    for (const lot of holding.lots) count += lot.count
    if (count < BigInt(nfts)) continue
    yield chunk
    chunk = []
    count = 0n
  }
  if (chunk.length > 0) yield chunk
}
