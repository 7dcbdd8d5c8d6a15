import { bnOrder, littleEndianBytes, littleEndianOf, scalarBytes } from '#src/tss/numbers.ts'
import { poseidonOf } from '#src/tss/poseidon.ts'

export const ledgerNodesMax = 128

/** A node of the ledger with the public key that signs for its successors: coordinates on Baby Jubjub. */
export interface LedgerNode {
  readonly nodeId: bigint
  readonly weight: bigint
  readonly x: bigint
  readonly y: bigint
}

/** Fills the list. The network's library made its key from a seed of zeros. */
const nobody: LedgerNode = {
  nodeId: bnOrder - 1n,
  weight: 0n,
  x: coordinate('8b3288d58331049d2703cf9e1fba5de9565d26eeb97233452d286000d6ce101b'),
  y: coordinate('bdeeb9632479bd393126759069765e655f2c4bbde7fe7cb98fe9e7a3deaa3129'),
}

/** The ledger id of these nodes, 32 bytes: Poseidon over all x, all y, all weights and all ids of a full list. */
export function nodeListHash(nodes: readonly LedgerNode[]): Buffer {
  const list = Array.from({ length: ledgerNodesMax }, (_, at) => nodes[at] ?? nobody)
  const columns = (['x', 'y', 'weight', 'nodeId'] as const).flatMap((field) => list.map((node) => node[field]))
  return littleEndianBytes(poseidonOf(columns), scalarBytes)
}

function coordinate(hex: string): bigint {
  return littleEndianOf(Buffer.from(hex, 'hex'))
}
