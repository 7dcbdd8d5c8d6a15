import type { NftRow } from '#projections/nfts/schema.ts'
import { max, min } from '#queries/common/bigints.ts'
import type { Order } from '#queries/common/parameters.ts'
import type { Range } from '#queries/common/range.ts'
import { findInLots } from '#queries/nfts/find-in-lots.ts'
import { type MovedLot, MovedSince } from '#queries/nfts/moved-since.ts'
import type { NftContext } from '#queries/nfts/reads.ts'
import { maxInt64, minInt64 } from '#src/domain/ledger-time.ts'

export interface WantedNfts {
  /** By token and serial number. */
  readonly order: Order
  /** NFTs of a page. */
  readonly limit: number
  /** Serial numbers of a token that may be among them; undefined where none may. */
  readonly serialsOf: (token: bigint) => Range | undefined
  /** Whether what an account held may be among them; of those that are found by something else than who held them, never. */
  readonly isHolder: (account: bigint) => boolean
}

type Place = Pick<NftRow, 'token' | 'serial'>
type Batches = AsyncIterable<readonly (NftRow | undefined)[]>

/**
 * Candidates that come in order, where they are now, and between them those that were in such a place at the request's instant and are
 * elsewhere since. Who wants them looks at each.
 */
export async function* asTheyWere(found: Batches, wanted: WantedNfts, context: NftContext): AsyncGenerator<NftRow[]> {
  const moved = new MovedSince(context)
  const inOrder = compareIn(wanted.order)
  const isAsked = ({ token, serial }: Place): boolean => isWithin(serial, wanted.serialsOf(token))
  let place: Place | undefined
  /** All until a place, or until the end: whatever has left since the candidates were read is known by now. */
  async function* until(end: Place | undefined, candidates: NftRow[]): AsyncGenerator<NftRow[]> {
    await moved.read()
    const { lots } = moved
    if (lots.length === 0 && moved.nfts.length === 0) {
      yield distinct(candidates, inOrder)
      place = end
      return
    }
    const known = [...candidates, ...moved.nfts.filter(isAsked)]
    for (let isEnd = false; !isEnd; ) {
      const inLots = await Promise.all(lots.map((lot) => findBehind(lot, place, wanted, context)))
      const pages = inLots.flatMap((page) => (page.length === wanted.limit ? page.slice(-1) : []))
      const next = [...pages, ...(end === undefined ? [] : [end])].sort(inOrder)[0]
      isEnd = next === end || (next !== undefined && end !== undefined && inOrder(next, end) === 0)
      const isNext = (row: NftRow): boolean =>
        (place === undefined || inOrder(row, place) > 0) && (next === undefined || inOrder(row, next) <= 0)
      yield distinct([...known, ...inLots.flat()].filter(isNext).sort(inOrder), inOrder)
      place = next ?? place
    }
  }
  let rows: NftRow[] = []
  for await (const batch of found) {
    for (const row of batch) if (row !== undefined) rows.push(row)
    if (rows.length < wanted.limit) continue
    yield* until(rows.at(-1), rows)
    rows = []
  }
  yield* until(undefined, rows)
}

/** The first NFTs of a lot that was somebody's behind a place. */
async function findBehind(
  { token, receiver, lot, holder }: MovedLot,
  place: Place | undefined,
  { order, limit, serialsOf, isHolder }: WantedNfts,
  context: NftContext,
): Promise<NftRow[]> {
  const bounds = holder !== null && isHolder(holder) ? serialsOf(token) : undefined
  if (bounds === undefined) return []
  const serials = place === undefined ? bounds : behindPlace(token, bounds, place, order)
  return findInLots({ token, lots: [{ receiver, lot }], serials, order, limit }, context)
}

function behindPlace(token: bigint, { lower, upper }: Range, place: Place, order: Order): Range {
  const isAfter = order === 'asc' ? token > place.token : token < place.token
  if (isAfter) return { lower, upper }
  if (token !== place.token) return { lower: maxInt64, upper: minInt64 }
  return order === 'asc'
    ? { lower: max(lower, place.serial + 1n), upper }
    : { lower, upper: min(upper, place.serial - 1n) }
}

function isWithin(serial: bigint, bounds: Range | undefined): boolean {
  return bounds !== undefined && serial >= bounds.lower && serial <= bounds.upper
}

function compareIn(order: Order): (a: Place, b: Place) => number {
  const sign = order === 'asc' ? 1 : -1
  return (a, b) => sign * (a.token === b.token ? compare(a.serial, b.serial) : compare(a.token, b.token))
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : Number(a > b)
}

/** Approvals that are left over name an NFT once more. */
function distinct(sorted: NftRow[], inOrder: (a: Place, b: Place) => number): NftRow[] {
  return sorted.filter((row, at) => at === 0 || inOrder(sorted[at - 1]!, row) !== 0)
}
