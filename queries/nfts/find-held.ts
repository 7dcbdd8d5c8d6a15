import { type HeldLot, unpackLots } from '#projections/nfts/packing.ts'
import type { NftRow } from '#projections/nfts/schema.ts'
import { max, min } from '#queries/common/bigints.ts'
import type { ColumnSelection } from '#queries/common/column-bounds.ts'
import { inSteps, type Step } from '#queries/common/in-steps.ts'
import type { Order } from '#queries/common/parameters.ts'
import { readOf } from '#queries/common/range.ts'
import { findInLots, type LotsQuery, pagesOfLots } from '#queries/nfts/find-in-lots.ts'
import { behind, secondBounds } from '#queries/nfts/pairs.ts'
import { type NftContext, nftFields } from '#queries/nfts/reads.ts'
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
 * NFTs that an account holds by token and serial number, of the tokens that fill a page at once. What it gives away while they
 * are read is not among them.
 */
export async function* heldNfts(query: HeldQuery, context: NftContext): AsyncGenerator<NftRow[]> {
  for await (const holdings of heldTokens(query, context)) {
    const own = await findOwn(query, holdings, context)
    if (own !== undefined) yield own
    const last = own?.at(-1)
    if (own === undefined) yield* inLots(query, holdings, context)
    else if (last !== undefined && own.length === query.limit) {
      const isBehind = ({ token }: Holding) => (query.order === 'asc' ? token >= last.token : token <= last.token)
      const selection = behind(query.selection, [last.token, last.serial], query.order)
      yield* inLots({ ...query, selection }, holdings.filter(isBehind), context)
    }
  }
}

/** One read a lot, all at once. */
async function* inLots(
  { selection, order, limit }: HeldQuery,
  holdings: readonly Holding[],
  context: NftContext,
): AsyncGenerator<NftRow[]> {
  const queries = holdings.map(
    ({ token, lots }): LotsQuery => ({ token, lots, serials: secondBounds(selection, token), order, limit }),
  )
  const firsts = await Promise.all(queries.map((each) => findInLots(each, context)))
  for (const [index, each] of queries.entries()) yield* pagesOfLots(each, firsts[index]!, context)
}

/**
 * The first NFTs of an account that holds nothing but one lot of its own of each token, as nearly all do: such lots lie behind
 * each other. Undefined where it holds others, has some NFTs in the place that are no longer its own, or is asked for some
 * serial numbers only.
 */
async function findOwn(
  { account, selection, order, limit }: HeldQuery,
  holdings: readonly Holding[],
  { rows }: NftContext,
): Promise<NftRow[] | undefined> {
  const lots = new Map<bigint, number>()
  for (const { token, lots: held } of holdings) {
    const [only, other] = held
    const { lower, upper } = secondBounds(selection, token)
    if (only?.receiver !== account || other !== undefined || lower > minInt64 || upper < maxInt64) return undefined
    lots.set(token, only.lot)
  }
  const [first, last] = [holdings[0]!.token, holdings.at(-1)!.token]
  const found = await rows.nfts.find({
    collection: 'nfts',
    index: ['receiver', 'token', 'lot', 'serial'],
    prefix: [account],
    ...readOf({ lower: min(first, last), upper: max(first, last) }, order, limit),
    select: nftFields,
  })
  return found.every(({ token, lot }) => lots.get(token) === lot) ? found : undefined
}

/** As many tokens at once as hold a page of NFTs. */
async function* heldTokens(
  { account, selection: { range }, order, limit }: HeldQuery,
  { rows, pause }: NftContext,
): AsyncGenerator<Holding[]> {
  const query = { collection: 'holdings', index: ['account', 'listed', 'token'], prefix: [account, 1] } as const
  const find = (step: Step) => rows.nfts.find({ ...query, ...step, select: ['token', 'lots'] })
  const [lower = minInt64] = range.lower
  const [upper = maxInt64] = range.upper
  for await (const found of inSteps({ lower, upper, order, limit, next: () => limit }, pause, find, tokenOf))
    yield* chunksOf(
      found.map(({ token, lots }) => ({ token, lots: unpackLots(lots) })),
      limit,
    )
}

function tokenOf({ token }: { readonly token: bigint }): bigint {
  return token
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
