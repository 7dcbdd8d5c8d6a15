import type { NftChange } from '#projections/nfts/changes.ts'
import { receive, release } from '#projections/nfts/lots.ts'
import { possessionOf } from '#projections/nfts/owner.ts'
import type { NftRow, nftsSchema } from '#projections/nfts/schema.ts'
import type { FoldedRows } from '#src/runtime/fold/projection.ts'

type Rows = FoldedRows<typeof nftsSchema>

/** What is known of an NFT before it changes. */
interface Known {
  readonly row: NftRow | undefined
  readonly owner: bigint | null
  readonly approval: Pick<NftRow, 'spender' | 'delegatingSpender'>
}

const unapproved = { spender: null, delegatingSpender: null }

function knownOf(rows: Rows, token: bigint, serial: bigint): Known {
  const row = rows.get('nfts', token, serial)
  if (row === undefined) return { row, owner: null, approval: unapproved }
  const { spender, delegatingSpender } = row
  const { owner, handedOver } = possessionOf(row, rows)
  return { row, owner, approval: handedOver ? unapproved : { spender, delegatingSpender } }
}

/** Writes what changes of an NFT at a time. Of one that nobody knew it is all that is known. */
export function changeNft(rows: Rows, { token, serial, ...change }: NftChange, time: bigint): void {
  const known = knownOf(rows, token, serial)
  const { row: before } = known
  const owner = change.owner === undefined ? known.owner : change.owner
  const nft = {
    token,
    serial,
    from: time,
    until: null,
    created: change.created ?? before?.created ?? null,
    deleted: change.deleted === undefined ? (before?.deleted ?? 0) : Number(change.deleted),
    metadata: change.metadata === undefined ? (before?.metadata ?? null) : change.metadata,
    ...(change.approval === undefined ? known.approval : (change.approval ?? unapproved)),
  }
  const place = owner === known.owner && before ? before : placeFor(rows, known, token, owner)
  putNft(rows, known, { ...nft, receiver: place.receiver, lot: place.lot }, owner)
}

/** An NFT as it is stated, whatever was known of it: in the owner's own lot, which nobody handed over yet. */
export function stateNft(rows: Rows, stated: Omit<NftRow, 'receiver' | 'lot'>, owner: bigint | null): void {
  const known = knownOf(rows, stated.token, stated.serial)
  putNft(rows, known, { ...stated, ...placeFor(rows, known, stated.token, owner) }, owner)
}

function placeFor(
  rows: Rows,
  { row, owner }: Known,
  token: bigint,
  to: bigint | null,
): Pick<NftRow, 'receiver' | 'lot'> {
  if (row && row.receiver !== null && owner !== null)
    release(rows, owner, token, { receiver: row.receiver, lot: row.lot })
  return to === null ? { receiver: null, lot: 0 } : receive(rows, to, token)
}

function putNft(rows: Rows, { row, owner: from, approval }: Known, nft: NftRow, to: bigint | null): void {
  const { token, serial, from: time } = nft
  rows.put('nfts', nft)
  // Of several changes at one time the first is of what was there before.
  if (row !== undefined && row.from !== time) rows.put('changes', { time, token, serial })
  if (from !== null && approval.spender !== null) rows.remove('approvals', from, approval.spender, token, serial)
  if (to !== null && nft.spender !== null) rows.put('approvals', { owner: to, spender: nft.spender, token, serial })
}
