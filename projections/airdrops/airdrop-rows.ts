import type { AirdropChange } from '#projections/airdrops/changes.ts'
import type { airdropsSchema } from '#projections/airdrops/schema.ts'
import type { FoldedRows } from '#src/runtime/fold/projection.ts'

type Rows = FoldedRows<typeof airdropsSchema>

/** A claim or cancellation of what nobody knows is kept as well: the airdrop was there before the log began. */
export function changeAirdrop(rows: Rows, { amount, ...change }: AirdropChange, time: bigint): void {
  const before = rows.get('airdrops', change.sender, change.receiver, change.token, change.serial)
  const known = amount === undefined ? (before?.amount ?? null) : amount
  rows.put('airdrops', { ...change, from: time, until: null, amount: known })
}
