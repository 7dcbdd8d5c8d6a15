import { newestKey } from '#projections/staking/schema.ts'
import type { StakingRows } from '#projections/staking/stakers.ts'

/** What each node pays for an hbar at stake in the period that ended. */
export interface NodeRate {
  readonly nodeId: bigint
  readonly rewardRate: bigint
}

const nodeBytes = 16

/** A daily update: counts it, and adds to what each node ever earned. A node that is not in it earns nothing. */
export function recordUpdate(
  rows: StakingRows,
  { time, epochDay, rates }: { readonly time: bigint; readonly epochDay: bigint; readonly rates: readonly NodeRate[] },
): void {
  const before = rows.get('newest', newestKey)
  const update = (before?.update ?? 0) + 1
  const totals = totalsOf(before?.nodes)
  for (const { nodeId, rewardRate } of rates) totals.set(nodeId, (totals.get(nodeId) ?? 0n) + rewardRate)
  rows.put('newest', { id: newestKey, update, nodes: packTotals(totals) })
  rows.put('updates', { update, time, epochDay })
  for (const [node, total] of totals) rows.put('earnings', { node, update, total })
}

function totalsOf(packed: Uint8Array | undefined): Map<bigint, bigint> {
  const totals = new Map<bigint, bigint>()
  if (packed === undefined) return totals
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength)
  for (let at = 0; at < packed.length; at += nodeBytes) totals.set(view.getBigInt64(at), view.getBigInt64(at + 8))
  return totals
}

function packTotals(totals: ReadonlyMap<bigint, bigint>): Uint8Array {
  const packed = new Uint8Array(totals.size * nodeBytes)
  const view = new DataView(packed.buffer)
  let at = 0
  for (const [node, total] of totals) {
    view.setBigInt64(at, node)
    view.setBigInt64(at + 8, total)
    at += nodeBytes
  }
  return packed
}
