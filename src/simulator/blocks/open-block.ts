import { type BlockHashParts, blockHash, type HashRule } from '#src/domain/block-hash.ts'
import { blockTree, leafOfItem } from '#src/domain/block-items.ts'
import { emptyTree, MerkleTree } from '#src/domain/merkle-tree.ts'
import { type BlockItemBytes, blockItem, itemNumber, rawField } from '#src/simulator/blocks/block-item.ts'
import { encode } from '#src/simulator/codec.ts'
import type { Instant } from '#src/simulator/time.ts'

/** What stands in the footer; 48 bytes each. */
export interface BlockFooter {
  readonly previousRoot: Uint8Array
  readonly earlierBlocksRoot: Uint8Array
  readonly startStateRoot: Uint8Array
}

/** A block that lacks nothing but its proof. */
export interface ClosedBlock {
  readonly hash: Buffer
  readonly parts: BlockHashParts
  /** The serialized Block so far. */
  readonly bytes: Buffer
}

/** A block while its items come, each of which is a leaf of one of its trees. */
export class OpenBlock {
  readonly #timestamp: Uint8Array
  readonly #items: Buffer[] = []
  readonly #trees = new Map<number, MerkleTree>()

  constructor(time: Instant) {
    this.#timestamp = encode('proto.Timestamp', { ...time })
  }

  add(item: BlockItemBytes): void {
    this.#items.push(rawField(1, item))
    const leaf = leafOfItem(itemNumber(item)) ?? 0
    if (leaf <= 0) return
    const tree = this.#trees.get(leaf) ?? new MerkleTree()
    this.#trees.set(leaf, tree)
    tree.add(item)
  }

  /** Root of the changes of state so far. */
  get stateChangesRoot(): Buffer {
    return this.#trees.get(blockTree.stateChanges)?.root() ?? emptyTree
  }

  close(footer: BlockFooter, rule: HashRule): ClosedBlock {
    this.add(
      blockItem('blockFooter', {
        previousBlockRootHash: footer.previousRoot,
        rootHashOfAllBlockHashesTree: footer.earlierBlocksRoot,
        startOfBlockStateRootHash: footer.startStateRoot,
      }),
    )
    const trees = new Map([...this.#trees].map(([leaf, tree]) => [leaf, tree.root()]))
    const parts = { timestamp: this.#timestamp, ...footer, trees }
    return { hash: blockHash(parts, rule), parts, bytes: Buffer.concat(this.#items) }
  }
}
