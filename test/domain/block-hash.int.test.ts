import { describe, expect, it } from 'vitest'
import { blockHash } from '#src/domain/block-hash.ts'
import { blockTree } from '#src/domain/block-items.ts'
import { emptyTree, innerHash, leafHash, MerkleTree, singleHash } from '#src/domain/merkle-tree.ts'
import { hasSamples, sample } from '#test/importer/samples.ts'

describe.skipIf(!hasSamples)('known hashes', () => {
  const { hashVectors } = hasSamples
    ? (JSON.parse(sample('facts.json').toString('utf8')) as { hashVectors: Record<string, unknown> })
    : { hashVectors: {} }

  it('are those that are made here', () => {
    const tree = new MerkleTree()
    for (const byte of [0, 1, 2]) tree.add(Buffer.of(byte))
    const root48 = (first: number) => Buffer.alloc(48).fill(first, 0, 1)
    const block = blockHash(
      {
        timestamp: Buffer.from('0801', 'hex'),
        previousRoot: root48(1),
        earlierBlocksRoot: root48(2),
        startStateRoot: root48(3),
        trees: new Map([[blockTree.output, leafHash(Buffer.from('0a0422020801', 'hex'))]]),
      },
      'eight',
    )
    const made = {
      leafOfEmpty: leafHash(Buffer.alloc(0)),
      internalSingleChildOfEmpty: singleHash(Buffer.alloc(0)),
      internalTwoChildrenOfEmpty: innerHash(Buffer.alloc(0), Buffer.alloc(0)),
      emptyTree,
      streamingTreeOfLeaves_00_01_02: tree.root(),
      blockRootEightLeaf: block,
    }
    const { asserted, blockRootEightLeaf, ...others } = hashVectors
    const known = { ...others, blockRootEightLeaf: (blockRootEightLeaf as { root: string }).root }
    expect(Object.fromEntries(Object.entries(made).map(([name, hash]) => [name, hash.toString('hex')]))).toEqual(known)
    expect(known).toMatchObject(asserted as object)
  })
})
