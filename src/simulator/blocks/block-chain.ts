import type { HashRule } from '#src/domain/block-hash.ts'
import { emptyTree, leafHash, MerkleTree } from '#src/domain/merkle-tree.ts'
import type { ClosedBlock, OpenBlock } from '#src/simulator/blocks/open-block.ts'

/** What the next block refers to, as hex; survives JSON. */
export interface BlockChainState {
  /** Hash of the newest block. */
  readonly previous: string
  /** The tree of all hashes so far. */
  readonly count: number
  readonly roots: readonly string[]
  /** Root of the state after the newest block. */
  readonly state: string
}

/** The chain that each block joins with its footer, whether it wraps a record file or has items of its own. */
export class BlockChain {
  readonly #rule: HashRule
  readonly #earlier: MerkleTree
  #previous: Buffer
  #state: Buffer

  constructor(rule: HashRule, saved?: BlockChainState) {
    this.#rule = rule
    this.#earlier = new MerkleTree(saved?.count, saved?.roots.map(bytesOf))
    this.#previous = saved ? bytesOf(saved.previous) : emptyTree
    this.#state = saved ? bytesOf(saved.state) : emptyTree
  }

  get save(): BlockChainState {
    return {
      previous: this.#previous.toString('hex'),
      count: this.#earlier.count,
      roots: this.#earlier.roots.map((root) => root.toString('hex')),
      state: this.#state.toString('hex'),
    }
  }

  get startStateRoot(): Buffer {
    return this.#state
  }

  /** Ends a block. The state that the next one begins with follows from this one's and what the block changed. */
  append(block: OpenBlock): ClosedBlock {
    const changed = block.stateChangesRoot
    const closed = this.#append(block, this.#state)
    this.#state = leafHash(Buffer.concat([this.#state, changed]))
    return closed
  }

  /** Ends a block that wraps a record file: nothing is said of the state, which goes on all the same. */
  appendWrapped(block: OpenBlock): ClosedBlock {
    const closed = this.#append(block, emptyTree)
    this.#state = leafHash(Buffer.concat([this.#state, closed.hash]))
    return closed
  }

  #append(block: OpenBlock, startStateRoot: Uint8Array): ClosedBlock {
    const footer = { previousRoot: this.#previous, earlierBlocksRoot: this.#earlier.root(), startStateRoot }
    const closed = block.close(footer, this.#rule)
    this.#previous = closed.hash
    this.#earlier.addHash(closed.hash)
    return closed
  }
}

function bytesOf(hex: string): Buffer {
  return Buffer.from(hex, 'hex')
}
