import type { AirdropChange } from '#projections/airdrops/changes.ts'
import type { AirdropRow, airdropsSchema } from '#projections/airdrops/schema.ts'
import type { FoldedRows } from '#src/runtime/fold/projection.ts'

type Rows = FoldedRows<typeof airdropsSchema>

/** A claim or cancellation of what nobody knows is kept as well: the airdrop was there before the log began. */
export function changeAirdrop(rows: Rows, { amount, ...change }: AirdropChange, time: bigint): void {
  const before = rows.get('airdrops', change.sender, change.receiver, change.token, change.serial)
  const known = amount === undefined ? (before?.amount ?? null) : amount
  replaceAirdrop(rows, { ...change, from: time, until: null, amount: known })
}

/** Puts what is true from now on. What was before ends where it begins, and leaves no trace where both begin at the same time. */
export function replaceAirdrop(rows: Rows, airdrop: AirdropRow): void {
  const before = rows.get('airdrops', airdrop.sender, airdrop.receiver, airdrop.token, airdrop.serial)
  if (before && before.from < airdrop.from)
    rows.put('airdropVersions', { ...before, until: before.until ?? airdrop.from })
  rows.put('airdrops', airdrop)
}
