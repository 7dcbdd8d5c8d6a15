import { createHash } from 'node:crypto'
import { zstdDecompressSync } from 'node:zlib'
import { blockHash, type HashRule } from '#src/domain/block-hash.ts'
import { leafOfItem } from '#src/domain/block-items.ts'
import { MerkleTree } from '#src/domain/merkle-tree.ts'
import type { SimulatedBlock } from '#src/simulator/block-files.ts'
import type { BlockSigner } from '#src/simulator/blocks/block-signer.ts'
import { encode, type Message } from '#src/simulator/codec.ts'
import { decode } from '#test/simulator/read-back.ts'

/** One item of a block: the number and the name of its field, and what is in it. */
export interface ReadBlockItem {
  readonly number: number
  readonly field: string
  readonly content: Message | Uint8Array
  /** The bytes of the BlockItem. */
  readonly bytes: Uint8Array
}

/** What a test sees of a block file. */
export interface ReadBlockFile {
  readonly path: string
  readonly items: readonly ReadBlockItem[]
  readonly header: Message
  readonly footer: Message
  readonly proof: Message
  /** The encoded Timestamp of the header. */
  readonly timestamp: Uint8Array
}

/** A ledger that signs with a hash, so that signatures can be looked at. */
export const signer: BlockSigner = {
  publication: encode('com.hedera.hapi.node.tss.LedgerIdPublicationTransactionBody', {
    ledgerId: Buffer.alloc(32, 7),
    historyProofVerificationKey: Buffer.alloc(1_768, 3),
    nodeContributions: [0, 1].map((nodeId) => ({ nodeId, weight: 5, historyProofKey: Buffer.alloc(32, nodeId + 1) })),
  }),
  sign: (hash) => createHash('sha512').update('signed by the ledger').update(hash).digest(),
}

/** The block files among those that a block of the network brought, by number. */
export function blockFilesOf(blocks: readonly SimulatedBlock[]): ReadBlockFile[] {
  const files = blocks.flatMap((block) => block.files.filter(({ path }) => path.endsWith('.blk.zstd')))
  const sorted = [...files].sort((left, right) => (left.path < right.path ? -1 : 1))
  return sorted.map(({ path, bytes }) => readBlockFile(path, zstdDecompressSync(bytes)))
}

function readBlockFile(path: string, bytes: Uint8Array): ReadBlockFile {
  const items = fieldsOf(bytes).map(([, item]) => readItem(item))
  const one = (field: string) => items.filter((item) => item.field === field).map(({ content }) => content as Message)
  const [[header = {}], [footer = {}], [proof = {}]] = [one('blockHeader'), one('blockFooter'), one('blockProof')]
  const [[, headerBytes] = [0, new Uint8Array()]] = fieldsOf(items[0]!.bytes)
  const timestamp = fieldsOf(headerBytes).find(([field]) => field === 4)?.[1] ?? new Uint8Array()
  return { path, items, header, footer, proof, timestamp }
}

function readItem(bytes: Uint8Array): ReadBlockItem {
  const { item: field, ...content } = decode('com.hedera.hapi.block.stream.BlockItem', bytes)
  return { number: bytes[0]! >> 3, field: String(field), content: content[String(field)] as Message, bytes }
}

/** The hash of a block from its bytes, with nothing but the rule. */
export function hashOf({ items, footer, timestamp }: ReadBlockFile, rule: HashRule): Buffer {
  const trees = new Map<number, MerkleTree>()
  for (const { number, bytes } of items) {
    const leaf = leafOfItem(number) ?? 0
    if (leaf <= 0) continue
    trees.set(leaf, trees.get(leaf) ?? new MerkleTree())
    trees.get(leaf)?.add(bytes)
  }
  const parts = {
    timestamp,
    previousRoot: footer['previousBlockRootHash'] as Uint8Array,
    earlierBlocksRoot: footer['rootHashOfAllBlockHashesTree'] as Uint8Array,
    startStateRoot: footer['startOfBlockStateRootHash'] as Uint8Array,
    trees: new Map([...trees].map(([leaf, tree]) => [leaf, tree.root()])),
  }
  return blockHash(parts, rule)
}

/** Fields of messages and bytes, of numbers only that they are there. */
export function fieldsOf(bytes: Uint8Array): [number, Uint8Array][] {
  const fields: [number, Uint8Array][] = []
  let offset = 0
  const varint = () => {
    let value = 0
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[offset++] ?? 0
      value += (byte & 127) * scale
      if (byte < 128) return value
    }
  }
  while (offset < bytes.length) {
    const tag = varint()
    const length = varint()
    const end = tag % 8 === 2 ? offset + length : offset
    fields.push([Math.floor(tag / 8), bytes.subarray(offset, end)])
    offset = end
  }
  return fields
}
