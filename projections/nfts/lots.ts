import type { HandOver } from '#projections/nfts/changes.ts'
import { holdingOf } from '#projections/nfts/owner.ts'
import { countedLots, type HeldLot, type Lot, packLots, unpackLots } from '#projections/nfts/packing.ts'
import { type HoldingRow, lotsMoved, type nftsSchema } from '#projections/nfts/schema.ts'
import type { FoldedRows } from '#src/runtime/fold/projection.ts'

type Rows = FoldedRows<typeof nftsSchema>

function putLots(rows: Rows, holding: HoldingRow, lots: readonly HeldLot[]): void {
  rows.put('holdings', { ...holding, listed: lots.length > 0 ? 1 : 0, lots: packLots(lots) })
}

/** One NFT more or less in a lot that an account holds. */
function count(rows: Rows, holding: HoldingRow, lot: Lot, change: bigint): void {
  putLots(rows, holding, countedLots(unpackLots(holding.lots), lot, change))
}

/** An account receives an NFT: into its own lot, which is returned. */
export function receive(rows: Rows, account: bigint, token: bigint): Lot {
  const holding = holdingOf(rows, account, token)
  const lot = { receiver: account, lot: holding.lot }
  count(rows, holding, lot, 1n)
  return lot
}

/** An NFT of a lot leaves who holds it. */
export function release(rows: Rows, holder: bigint, token: bigint, lot: Lot): void {
  count(rows, holdingOf(rows, holder, token), lot, -1n)
}

/** Every lot that the sender holds of a token changes its holder; what the sender receives from now on is another lot. */
export function handOver(rows: Rows, { token, sender, receiver }: HandOver, time: bigint): void {
  const holding = holdingOf(rows, sender, token)
  const lots = unpackLots(holding.lots)
  if (lots.length === 0) return
  for (const { receiver: first, lot } of lots) {
    rows.put('movedLots', { token, receiver: first, lot, holder: receiver, since: time })
    rows.put('lotMoves', { token, receiver: first, lot, time, holder: receiver })
  }
  rows.put('changes', { time, token, serial: lotsMoved })
  const goesOn = lots.every(({ receiver: first, lot }) => first !== sender || lot !== holding.lot)
  putLots(rows, goesOn ? holding : { ...holding, lot: holding.lot + 1 }, [])
  if (receiver !== null) {
    const kept = holdingOf(rows, receiver, token)
    putLots(rows, kept, [...unpackLots(kept.lots), ...lots])
  }
  rows.put('tokens', { token, deleted: rows.get('tokens', token)?.deleted ?? null, moved: 1 })
}
