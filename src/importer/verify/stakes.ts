const stakeModes = ['STAKE_IN_ADDRESS_BOOK', 'STAKE', 'EQUAL'] as const
export type StakeMode = (typeof stakeModes)[number]

/** Stakes in tinybars by node id, as the latest NodeStakeUpdate gave them. */
export type StakeRows = ReadonlyMap<bigint, bigint>

export interface Weights {
  /** Weight of a node: its stake, or 1 where stakes do not count. */
  of(nodeId: bigint): bigint
  readonly total: bigint
}

/** What each node weighs in a consensus. `nodeIds` are those of the address book. */
export function weightsOf(mode: StakeMode, nodeIds: readonly bigint[], rows: StakeRows): Weights {
  const one = () => 1n
  if (rows.size === 0) return { of: one, total: BigInt(nodeIds.length) }
  if (mode === 'EQUAL') return { of: one, total: BigInt(rows.size) }
  const of = (nodeId: bigint) => rows.get(nodeId) ?? 0n
  const counted = mode === 'STAKE' ? [...rows.values()] : nodeIds.map(of)
  const total = counted.reduce((sum, stake) => sum + stake, 0n)
  if (total > 0n) return { of, total }
  return { of: one, total: BigInt(mode === 'STAKE' ? rows.size : nodeIds.length) }
}
