import { firstTreeLeaf, lastTreeLeaf } from '#src/domain/block-items.ts'
import { emptyTree, innerHash, leafHash, singleHash } from '#src/domain/merkle-tree.ts'

/**
 * How many leaves a block's root has. Eight up to software 0.73; sixteen in 0.78, of which the second half is kept for what is still
 * to come. Nothing in a block names the rule, so whoever verifies tries the other one when the first does not hold.
 */
export type HashRule = 'eight' | 'sixteen'
export const hashRules: readonly HashRule[] = ['sixteen', 'eight']

/** What the hash of a block is made of. Hashes have 48 bytes. */
export interface BlockHashParts {
  /** The encoded Timestamp of the header. */
  readonly timestamp: Uint8Array
  /** Of the block before; that of an empty tree before the first. */
  readonly previousRoot: Uint8Array
  /** Root of the tree of all earlier blocks' hashes. */
  readonly earlierBlocksRoot: Uint8Array
  /** Root of the state when the block began; empty: that of an empty tree. */
  readonly startStateRoot: Uint8Array
  /** Roots of the trees of items by leaf; what is missing is empty. */
  readonly trees: ReadonlyMap<number, Uint8Array>
}

/** The hash by which the next block refers to this one, and which the network signs. */
export function blockHash(parts: BlockHashParts, rule: HashRule): Buffer {
  const root = foldedLeaves(parts, rule)
  return innerHash(leafHash(parts.timestamp), rule === 'eight' ? singleHash(root) : root)
}

function foldedLeaves(
  { previousRoot, earlierBlocksRoot, startStateRoot, trees }: BlockHashParts,
  rule: HashRule,
): Buffer {
  const count = rule === 'eight' ? 8 : lastTreeLeaf
  const leaves: Uint8Array[] = [
    previousRoot,
    earlierBlocksRoot,
    startStateRoot.length === 0 ? emptyTree : startStateRoot,
  ]
  for (let leaf = firstTreeLeaf; leaf <= count; leaf++) leaves.push(trees.get(leaf) ?? emptyTree)
  return fold(leaves)
}

/** A power of two of them, in pairs. */
function fold(nodes: readonly Uint8Array[]): Buffer {
  let level = nodes
  while (level.length > 1) {
    const above: Buffer[] = []
    for (let index = 0; index < level.length; index += 2) above.push(innerHash(level[index]!, level[index + 1]!))
    level = above
  }
  return Buffer.from(level[0]!)
}
