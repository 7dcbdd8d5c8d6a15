import type { BlockHashParts, HashRule } from '#src/domain/block-hash.ts'
import { blockTree } from '#src/domain/block-items.ts'
import { emptyTree, innerHash, leafHash } from '#src/domain/merkle-tree.ts'
import type { Message } from '#src/simulator/codec.ts'

/** What a path to a later block needs of each block that it passes, as hex; survives JSON. */
export interface BlockLink {
  /** The encoded Timestamp of its header. */
  readonly timestamp: string
  /** Hashes beside the path from the hash of the block before to what all leaves of this one fold to. */
  readonly beside: readonly string[]
}

/** Empty: there the path goes through a node with one child. */
const singleChild = ''
/** What the paths of a proof name as the next one when there is none. */
const noPath = 4_294_967_295

export function linkOf(
  { timestamp, earlierBlocksRoot, startStateRoot, trees }: BlockHashParts,
  rule: HashRule,
): BlockLink {
  const tree = (leaf: number) => trees.get(leaf) ?? emptyTree
  const { consensusHeaders, input, output, stateChanges, trace } = blockTree
  const items = innerHash(innerHash(tree(input), tree(output)), innerHash(tree(stateChanges), tree(trace)))
  const beside = [earlierBlocksRoot, innerHash(startStateRoot, tree(consensusHeaders)), items].map(hexOf)
  const last = rule === 'eight' ? singleChild : hexOf(reservedHalf())
  return { timestamp: hexOf(timestamp), beside: [...beside, last] }
}

/**
 * Proves a block without a signature of its own by one that comes after it: a path of hashes from its hash through each block
 * in between to the signed one, and the signature of that. `links` are those of the blocks after it, the signed one last.
 */
export function stateProof(hash: Uint8Array, links: readonly BlockLink[], signature: Uint8Array): Message {
  const siblings = links.flatMap(({ timestamp, beside }, index) => [
    ...beside.map((sibling) => (sibling === singleChild ? {} : { hash: bytesOf(sibling) })),
    // The hash of a block in between is complete with its timestamp; that of the signed one is left to the reader.
    ...(index < links.length - 1 ? [{ isLeft: true, hash: leafHash(bytesOf(timestamp)) }] : []),
  ])
  const signedTimestamp = bytesOf(links.at(-1)?.timestamp ?? '')
  const paths = [
    { timestampLeaf: signedTimestamp, nextPathIndex: 2 },
    { hash, siblings, nextPathIndex: 2 },
    { nextPathIndex: noPath },
  ]
  return { paths, signedBlockProof: { blockSignature: signature } }
}

/** The eight leaves that are kept for what is still to come. */
function reservedHalf(): Buffer {
  const pair = innerHash(emptyTree, emptyTree)
  const four = innerHash(pair, pair)
  return innerHash(four, four)
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}

function bytesOf(hex: string): Buffer {
  return Buffer.from(hex, 'hex')
}
