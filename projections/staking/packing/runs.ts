/** Updates from `from` on at which the same was at stake with the same node. */
export interface Run {
  readonly from: number
  /** -1 for none. */
  readonly node: bigint
  /** Whole hbar at stake: only they earn. */
  readonly hbars: bigint
}

const runBytes = 20
/** Most runs of a tail. */
export const tailRunsMax = 16

export function unpackRuns(packed: Uint8Array): Run[] {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength)
  return Array.from({ length: packed.length / runBytes }, (_, index) => ({
    from: view.getInt32(index * runBytes),
    node: view.getBigInt64(index * runBytes + 4),
    hbars: view.getBigInt64(index * runBytes + 12),
  }))
}

export function packRuns(runs: readonly Run[]): Uint8Array {
  const packed = new Uint8Array(runs.length * runBytes)
  const view = new DataView(packed.buffer)
  for (const [index, { from, node, hbars }] of runs.entries()) {
    view.setInt32(index * runBytes, from)
    view.setBigInt64(index * runBytes + 4, node)
    view.setBigInt64(index * runBytes + 12, hbars)
  }
  return packed
}

const tinybarsPerHbar = 100_000_000n

/** What an account has at stake from an update on: nothing unless it stakes to a node itself. */
export function runOf(
  from: number,
  { node, stakedToMe }: { readonly node: bigint; readonly stakedToMe: bigint },
  balance: bigint,
): Run {
  return node < 0n ? { from, node: -1n, hbars: 0n } : { from, node, hbars: (balance + stakedToMe) / tinybarsPerHbar }
}

export function isSameStake(a: Run | undefined, b: Run): boolean {
  return a !== undefined && a.node === b.node && a.hbars === b.hbars
}
