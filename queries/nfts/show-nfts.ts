import type { NftRow, nftsSchema } from '#projections/nfts/schema.ts'
import type { NftContext } from '#queries/nfts/reads.ts'
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

type AtInstant = Pick<NftContext, 'rows' | 'checkpoint'>

/** NFTs with what their tokens and lots say of them, in their order. */
export async function showNfts(nfts: Rows, context: AtInstant): Promise<(ShownNft | undefined)[]> {
  const tokens = await findTokens(nfts, context)
  const moves = await findMoves(nfts, tokens, context)
  return nfts.map((row) => row && shown(row, tokens.get(row.token), moveOf(row, moves), context))
}

export type TokenRow = RowOf<typeof nftsSchema, 'tokens'>

type Rows = readonly (NftRow | undefined)[]

async function findTokens(nfts: Rows, { rows }: AtInstant): Promise<Map<bigint, TokenRow>> {
  const tokens = new Map<bigint, TokenRow>()
  const ids = new Set<bigint>()
  for (const nft of nfts) if (nft !== undefined) ids.add(nft.token)
  if (ids.size === 0) return tokens
  const keys = [...ids].map((id) => [id] as const)
  for (const row of await rows.nfts.get('tokens', keys, ['token', 'deleted', 'moved']))
    if (row !== undefined) tokens.set(row.token, row)
  return tokens
}

/** Who holds a lot since it was handed over last. */
interface Move {
  readonly holder: bigint | null
  readonly since: bigint
}

interface LotMove {
  readonly lot: LotKey
  readonly move: Move | undefined
}

function isIn([token, receiver, lot]: LotKey, nft: NftRow): boolean {
  return nft.lot === lot && nft.receiver === receiver && nft.token === token
}

/** A few lots hold all NFTs of a page. */
function moveOf(nft: NftRow, moves: readonly LotMove[]): Move | undefined {
  return moves.find(({ lot }) => isIn(lot, nft))?.move
}

/** The last time at or before the instant that each of the lots was handed over. */
async function findMoves(
  nfts: Rows,
  tokens: ReadonlyMap<bigint, TokenRow>,
  context: AtInstant,
): Promise<readonly LotMove[]> {
  const lots: LotKey[] = []
  for (const nft of nfts) {
    if (nft === undefined || nft.receiver === null || !tokens.get(nft.token)?.moved) continue
    if (!lots.some((lot) => isIn(lot, nft))) lots.push([nft.token, nft.receiver, nft.lot])
  }
  if (lots.length === 0) return []
  const found = await context.rows.nfts.get('movedLots', lots, ['holder', 'since'])
  return Promise.all(lots.map(async (lot, index) => ({ lot, move: await moveAt(found[index], lot, context) })))
}

/** Who had a lot at the instant: whoever it was handed over to last, else who received its NFTs. */
export async function holderOfLot(key: LotKey, context: AtInstant): Promise<bigint | null> {
  const [newest] = await context.rows.nfts.get('movedLots', [key], ['holder', 'since'])
  const move = await moveAt(newest, key, context)
  return move === undefined ? key[1] : move.holder
}

type LotKey = readonly [token: bigint, receiver: bigint, lot: number]

async function moveAt(newest: Move | undefined, lot: LotKey, { rows, checkpoint: { time } }: AtInstant) {
  if (newest === undefined || newest.since <= time) return newest
  const [earlier] = await rows.nfts.at(time).find({
    collection: 'lotMoves',
    index: ['token', 'receiver', 'lot', 'time'],
    prefix: lot,
    descending: true,
    limit: 1,
    select: ['holder', 'time'],
  })
  return earlier && { holder: earlier.holder, since: earlier.time }
}

function shown(row: NftRow, token: TokenRow | undefined, move: Move | undefined, { checkpoint }: AtInstant): ShownNft {
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
