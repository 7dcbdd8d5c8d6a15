import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { type BlockHashParts, blockHash } from '#src/domain/block-hash.ts'
import { leafOfItem, namedInItem, notHashed } from '#src/domain/block-items.ts'
import { emptyTree, innerHash, leafHash, MerkleTree, singleHash } from '#src/domain/merkle-tree.ts'

function sha384(...parts: readonly Uint8Array[]): string {
  const digest = createHash('sha384')
  for (const part of parts) digest.update(part)
  return digest.digest('hex')
}

const leaves = Array.from({ length: 70 }, (_, index) => Buffer.alloc(index, index))

/** By the definition: the largest power of two below the count goes to the left. */
function rootOf(hashes: readonly Buffer[]): Buffer {
  if (hashes.length === 0) return emptyTree
  if (hashes.length === 1) return hashes[0]!
  let left = 1
  while (left * 2 < hashes.length) left *= 2
  return innerHash(rootOf(hashes.slice(0, left)), rootOf(hashes.slice(left)))
}

describe('the hash of a tree', () => {
  it('tells leaves, nodes with one child and nodes with two apart', () => {
    const [left, right] = [leafHash(Buffer.from('a')), leafHash(Buffer.from('b'))]
    expect(left.toString('hex')).toBe(sha384(Buffer.of(0), Buffer.from('a')))
    expect(singleHash(left).toString('hex')).toBe(sha384(Buffer.of(1), left))
    expect(innerHash(left, right).toString('hex')).toBe(sha384(Buffer.of(2), left, right))
    expect(emptyTree.toString('hex')).toBe(sha384(Buffer.of(0)))
  })

  it('is the same whether a leaf is short or long', () => {
    for (const length of [16_383, 16_384, 100_000]) {
      const content = Buffer.alloc(length, 7)
      expect(leafHash(content).toString('hex')).toBe(sha384(Buffer.of(0), content))
    }
  })

  it('joins what is left from right to left, for any number of leaves', () => {
    for (let count = 0; count <= leaves.length; count++) {
      const tree = new MerkleTree()
      for (const leaf of leaves.slice(0, count)) tree.add(leaf)
      expect(tree.root()).toEqual(rootOf(leaves.slice(0, count).map(leafHash)))
    }
  })

  it('goes on from the roots of another tree', () => {
    const first = new MerkleTree()
    for (const leaf of leaves.slice(0, 37)) first.add(leaf)
    const second = new MerkleTree(first.count, first.roots)
    for (const leaf of leaves.slice(37)) second.addHash(leafHash(leaf))
    expect(second.root()).toEqual(rootOf(leaves.map(leafHash)))
  })
})

describe('the hash of a block', () => {
  const parts: BlockHashParts = {
    timestamp: Buffer.from('0801', 'hex'),
    previousRoot: Buffer.alloc(48, 1),
    earlierBlocksRoot: Buffer.alloc(48, 2),
    startStateRoot: Buffer.alloc(48, 3),
    trees: new Map([[6, leafHash(Buffer.from('0a0422020801', 'hex'))]]),
  }
  const fixed = [parts.previousRoot, parts.earlierBlocksRoot, parts.startStateRoot].map((hash) => Buffer.from(hash))
  const ofItems = [emptyTree, emptyTree, parts.trees.get(6) as Buffer, emptyTree, emptyTree]

  it('wraps eight leaves in a node with one child', () => {
    const root = singleHash(rootOf([...fixed, ...ofItems]))
    expect(blockHash(parts, 'eight')).toEqual(innerHash(leafHash(parts.timestamp), root))
  })

  it('folds sixteen leaves as they are', () => {
    const kept = Array.from({ length: 8 }, () => emptyTree)
    const root = rootOf([...fixed, ...ofItems, ...kept])
    expect(blockHash(parts, 'sixteen')).toEqual(innerHash(leafHash(parts.timestamp), root))
  })

  it('takes an empty state root for that of an empty tree', () => {
    expect(blockHash({ ...parts, startStateRoot: new Uint8Array(0) }, 'sixteen')).toEqual(
      blockHash({ ...parts, startStateRoot: emptyTree }, 'sixteen'),
    )
  })
})

describe('the tree of an item', () => {
  it('is known for items that there are, and refused for those that there are not', () => {
    expect([1, 2, 3, 4, 5, 6, 7, 10, 11].map(leafOfItem)).toEqual([6, 4, 4, 5, 6, 6, 7, 6, 8])
    expect([9, 12].map(leafOfItem)).toEqual([notHashed, notHashed])
    expect([8, 19].map(leafOfItem)).toEqual([namedInItem, namedInItem])
    expect([0, 13, 14, 15, 16, 17, 18].map(leafOfItem)).toEqual(Array(7).fill(undefined))
  })

  it('follows from numbers that are kept for items to come', () => {
    expect([23, 24, 25, 26, 27, 28, 35].map(leafOfItem)).toEqual([4, 5, 6, 7, 8, 9, 16])
    expect([20, 39, 40, 59].map(leafOfItem)).toEqual(Array(4).fill(notHashed))
    expect([21, 22, 36, 37, 38].map(leafOfItem)).toEqual(Array(5).fill(undefined))
    expect(leafOfItem(1_000_003)).toBe(4)
  })
})
