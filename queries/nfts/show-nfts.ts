import type { NftRow, nftsSchema } from '#projections/nfts/schema.ts'
import { newestAt } from '#queries/common/newest-at.ts'
import { versionsAt } from '#queries/common/version-at.ts'
import { type NftContext, nftFields } from '#queries/nfts/reads.ts'
import type { RowOf } from '#src/ports/read-store.ts'

/** An NFT as answers show it. Times are ns. */
export interface ShownNft {
  readonly token: bigint
  readonly serial: bigint
  /** null when nobody has it. */
  readonly owner: bigint | null
  readonly created: bigint | null
  /** It, or its token. */
  readonly deleted: boolean
  readonly metadata: Uint8Array | null
  readonly modified: bigint
  readonly spender: bigint | null
  readonly delegatingSpender: bigint | null
}

type Bounded = Pick<NftContext, 'rows' | 'checkpoint'>

/** NFTs as they are at the request's bound, in their order; undefined where there is none then. */
export async function showNfts(
  newest: readonly (NftRow | undefined)[],
  context: Bounded,
): Promise<(ShownNft | undefined)[]> {
  const versions = await findVersions(newest, context)
  const known = versions.filter((row) => row !== undefined)
  const tokens = await findTokens(known, context)
  const moves = await findMoves(
    known.filter(({ token }) => tokens.get(token)?.moved),
    context,
  )
  return versions.map((row) => row && shown(row, tokens.get(row.token), moves.get(lotName(row)), context))
}

function findVersions(newest: readonly (NftRow | undefined)[], { rows, checkpoint: { time } }: Bounded) {
  return versionsAt(newest, time, ({ token, serial }) =>
    rows.nfts.find({
      collection: 'nftVersions',
      index: ['token', 'serial', 'from'],
      prefix: [token, serial],
      ...newestAt(time),
      select: nftFields,
    }),
  )
}

export type TokenRow = RowOf<typeof nftsSchema, 'tokens'>

async function findTokens(nfts: readonly NftRow[], { rows }: Bounded): Promise<Map<bigint, TokenRow>> {
  const ids = [...new Set(nfts.map(({ token }) => token))]
  const found = await rows.nfts.get(
    'tokens',
    ids.map((id) => [id] as const),
    ['token', 'deleted', 'moved'],
  )
  return new Map(found.flatMap((row) => (row ? [[row.token, row]] : [])))
}

/** Who holds a lot since it was handed over last. */
interface Move {
  readonly holder: bigint | null
  readonly since: bigint
}

function lotName({ token, receiver, lot }: Pick<NftRow, 'token' | 'receiver' | 'lot'>): string {
  return `${token}/${receiver}/${lot}`
}

/** The last time at or before the bound that each of the lots was handed over; a few lots hold all NFTs of a page. */
async function findMoves(nfts: readonly NftRow[], context: Bounded): Promise<Map<string, Move>> {
  const lots = new Map(
    nfts.flatMap(({ token, receiver, lot }) =>
      receiver === null ? [] : [[lotName({ token, receiver, lot }), [token, receiver, lot] as const]],
    ),
  )
  const found = await context.rows.nfts.get('movedLots', [...lots.values()], ['holder', 'since'])
  const moves = new Map<string, Move>()
  const all = [...lots].map(async ([name, lot], index) => {
    const move = await moveAt(found[index], lot, context)
    if (move) moves.set(name, move)
  })
  await Promise.all(all)
  return moves
}

type LotKey = readonly [token: bigint, receiver: bigint, lot: number]

async function moveAt(newest: Move | undefined, lot: LotKey, { rows, checkpoint: { time } }: Bounded) {
  if (newest === undefined || newest.since <= time) return newest
  const [earlier] = await rows.nfts.find({
    collection: 'lotMoves',
    index: ['token', 'receiver', 'lot', 'time'],
    prefix: lot,
    ...newestAt(time),
    select: ['holder', 'time'],
  })
  return earlier && { holder: earlier.holder, since: earlier.time }
}

function shown(row: NftRow, token: TokenRow | undefined, move: Move | undefined, { checkpoint }: Bounded): ShownNft {
  const { serial, created, metadata, spender, delegatingSpender } = row
  const isHandedOver = move !== undefined && move.since > row.from
  const tokenIsDeleted = token?.deleted != null && token.deleted <= checkpoint.time
  const isGone = move !== undefined && move.holder === null
  return {
    token: row.token,
    serial,
    owner: move === undefined ? row.receiver : move.holder,
    created,
    deleted: row.deleted === 1 || tokenIsDeleted || isGone,
    metadata,
    modified: isHandedOver ? move.since : row.from,
    spender: isHandedOver ? null : spender,
    delegatingSpender: isHandedOver ? null : delegatingSpender,
  }
}

/** NFTs of a page: those that are wanted among candidates that come in batches, until there are enough. */
export async function collectNfts(
  candidates: AsyncIterable<readonly (NftRow | undefined)[]>,
  wanted: (nft: ShownNft) => boolean,
  limit: number,
  context: NftContext,
): Promise<ShownNft[]> {
  const page: ShownNft[] = []
  for await (const batch of candidates) {
    for (const nft of await showNfts(batch, context)) {
      if (nft === undefined || !wanted(nft)) continue
      page.push(nft)
      if (page.length === limit) return page
    }
    await context.pause()
  }
  return page
}
