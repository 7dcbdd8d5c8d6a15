import { describe, expect, it } from 'vitest'
import { blockHash } from '#src/domain/block-hash.ts'
import { emptyTree, leafHash, MerkleTree } from '#src/domain/merkle-tree.ts'
import { blockText } from '#src/importer/block/block.ts'
import { readBlock } from '#src/importer/block/read-block.ts'
import { encode, type Message } from '#src/simulator/codec.ts'
import {
  at,
  blockBytes,
  errorOf,
  executed,
  footer,
  hash48,
  header,
  itemBytes,
  nanosAt,
  reasonOf,
  signatureProof,
  sourceOf,
} from '#test/importer/block/made-blocks.ts'
import { bytesField, varintField } from '#test/support/protobuf-writer.ts'

type Item = Message | Uint8Array

const read = (items: readonly Item[]) => readBlock(sourceOf(blockBytes(items)), new Set(['redactions']))
const whole = (...items: Item[]) => read([header(), ...items, footer(), signatureProof()])
const refused = (...items: Item[]) => reasonOf(() => read(items))

const round = (roundNumber: number): Message => ({ roundHeader: { roundNumber } })
const recordFile: Message = { recordFile: { creationTime: at(0), recordFileContents: {} } }
const transaction = executed(1, { cryptoTransfer: {} })

describe('a block', () => {
  it('is read with what its header, its footer and its first proof say', () => {
    const block = read([
      header({ softwareVersion: { minor: 79, patch: 2 } }),
      round(5),
      ...transaction,
      round(6),
      round(8),
      footer(),
      signatureProof(7, Buffer.from('first')),
      { blockProof: { block: 8, blockStateProof: { paths: [] } } },
    ])
    expect(block.header).toEqual({
      hapiVersion: { major: 0, minor: 78, patch: 0 },
      softwareVersion: { major: 0, minor: 79, patch: 2 },
      number: 7n,
      time: nanosAt(0),
      timestamp: Buffer.from(encode('proto.Timestamp', at(0))),
    })
    expect(block.footer).toEqual({
      previousRoot: hash48(1),
      earlierBlocksRoot: hash48(2),
      startStateRoot: hash48(3),
    })
    expect(block.rounds).toEqual([5n, 8n])
    expect(block.recordFile).toBeUndefined()
    expect(block.proofs).toEqual([
      { kind: 'signature', block: 7n, message: bytesField(1, Buffer.from('first')) },
      { kind: 'state', block: 8n, message: Buffer.alloc(0) },
    ])
    expect(blockText(block)).toBe('block 7 of a source')
  })

  it('is proved by the first proof, whatever comes behind it', () => {
    const further = [footer({ previousBlockRootHash: hash48(9) }), signatureProof(8), bytesField(9, bytesField(5))]
    const block = read([header(), footer(), signatureProof(), ...further])
    expect(block.footer.previousRoot).toEqual(hash48(1))
    expect(block.proofs.map(({ block: of }) => of)).toEqual([7n, 8n])
    expect(block.hashes).toEqual(whole().hashes)
  })

  it('keeps the items that tell of transactions, in order', () => {
    const { items } = whole(
      round(1),
      ...transaction,
      { eventHeader: {} },
      { stateChanges: { consensusTimestamp: at(1) } },
    )
    const numbers = Array.from({ length: items.length }, (_, index) => items.numberAt(index))
    expect(numbers).toEqual([4, 5, 7])
    expect(items.contentAt(0)).toEqual(transaction[0]!['signedTransaction'])
  })

  it('may come in pieces, and tells how many bytes they have', () => {
    const items = [header(), round(1), ...transaction, footer(), signatureProof()]
    const pieces = items.map((item) => blockBytes([item]))
    const [inOne, inPieces] = [read(items), readBlock(sourceOf(Buffer.alloc(0), { pieces, size: undefined }))]
    expect(inPieces.hashes).toEqual(inOne.hashes)
    expect(inPieces.items.contentAt(1)).toEqual(inOne.items.contentAt(1))
    expect(inPieces.sizeUnpacked).toBe(blockBytes(items).length)
  })

  it('without rounds has none', () => {
    expect(whole().rounds).toBeUndefined()
    expect(whole(round(0)).rounds).toEqual([0n, 0n])
  })
})

describe('the hash of a block that is read', () => {
  it('is of its items as received, each a leaf of its tree, and of the time as it is written', () => {
    // A field of the event core that no definition has, and a time of two fields in the wrong order.
    const odd = bytesField(2, bytesField(1, varintField(5, 9)))
    const time = Buffer.concat([varintField(2, 0), varintField(1, 1_700_000_000)])
    const oddHeader = bytesField(1, varintField(3, 7), bytesField(4, time))
    const items = [oddHeader, odd, ...transaction.map(itemBytes), bytesField(7), itemBytes(footer())]
    const block = read([...items, itemBytes(signatureProof())])
    const treeOf = (...leaves: Buffer[]) => {
      const tree = new MerkleTree()
      for (const leaf of leaves) tree.add(leaf)
      return tree.root()
    }
    const parts = {
      timestamp: time,
      previousRoot: hash48(1),
      earlierBlocksRoot: hash48(2),
      startStateRoot: hash48(3),
      trees: new Map([
        [4, treeOf(odd)],
        [5, treeOf(itemBytes(transaction[0]!))],
        [6, treeOf(oddHeader, itemBytes(transaction[1]!))],
        [7, leafHash(bytesField(7))],
      ]),
    }
    expect(block.hashes).toEqual({ eight: blockHash(parts, 'eight'), sixteen: blockHash(parts, 'sixteen') })
    expect(block.header.time).toBe(nanosAt(0))
  })

  it('takes the hash of a redacted item for the item itself', () => {
    const [, result] = transaction
    const hidden = (item: Message, tree: number) => ({ redactedItem: { itemHash: leafHash(itemBytes(item)), tree } })
    expect(whole(hidden(transaction[0]!, 5), result!).hashes).toEqual(whole(...transaction).hashes)
    expect(whole(hidden(transaction[0]!, 6), result!).hashes).not.toEqual(whole(...transaction).hashes)
  })

  it('counts items of kinds to come by their number, and leaves out those that belong to no tree', () => {
    const unknown = (field: number) => bytesField(field, Buffer.from('new'))
    const plain = whole()
    expect(whole(unknown(26), unknown(1_024)).hashes).not.toEqual(plain.hashes)
    expect(whole(unknown(20), unknown(39)).hashes).toEqual(plain.hashes)
    // Trees that only the newer rule has.
    expect(whole(unknown(28)).hashes.eight).toEqual(plain.hashes.eight)
    expect(whole(unknown(28)).hashes.sixteen).not.toEqual(plain.hashes.sixteen)
  })
})

describe('a block is refused', () => {
  it('without header, footer or proof, or with two headers or footers', () => {
    expect(refused()).toBe('it is empty')
    expect(refused(footer())).toBe('it begins with the item 12 instead of its header')
    expect(refused(header(), signatureProof())).toBe('a proof comes before its footer')
    expect(refused(header())).toBe('it has no footer')
    expect(refused(header(), footer())).toBe('it has no proof')
    expect(refused(header(), header())).toBe('it has two headers')
    expect(refused(header(), footer(), footer())).toBe('it has two footers')
  })

  it('with hashes of another algorithm', () => {
    expect(refused(header({ hashAlgorithm: 1 }))).toMatch(/^its hashes are of the algorithm 1;/)
  })

  it('without a time in its header, or with a number that is none', () => {
    expect(refused(bytesField(1, varintField(3, 7)))).toBe('its header has no time')
    expect(refused(bytesField(1, varintField(3, -1n), bytesField(4)))).toBe(
      'its number 18446744073709551615 is out of range',
    )
  })

  it('with roots in its footer that are no hashes; only that of the state may be empty', () => {
    const short = Buffer.alloc(47)
    const of = (fields: Message) => refused(header(), footer(fields))
    expect(of({ previousBlockRootHash: short })).toBe('its footer has 47 bytes for the root of the previous block')
    expect(of({ rootHashOfAllBlockHashesTree: Buffer.alloc(0) })).toBe(
      'its footer has 0 bytes for the root of the earlier blocks',
    )
    expect(of({ startOfBlockStateRootHash: short })).toBe('its footer has 47 bytes for the root of the state')
    const stateless = read([header(), footer({ startOfBlockStateRootHash: Buffer.alloc(0) }), signatureProof()])
    const ofEmptyTree = read([header(), footer({ startOfBlockStateRootHash: emptyTree }), signatureProof()])
    expect(stateless.hashes).toEqual(ofEmptyTree.hashes)
  })

  it('with an item behind the footer that belongs before it', () => {
    expect(refused(header(), footer(), signatureProof(), ...transaction)).toBe('the item 4 follows its footer')
    expect(read([header(), footer(), bytesField(20), signatureProof()]).proofs).toHaveLength(1)
  })

  it('with an item that is not known, has no content, or two of them', () => {
    expect(refused(header(), bytesField(13))).toMatch(/^its item 13 is not known, nor in which tree it belongs/)
    expect(refused(header(), bytesField(36))).toMatch(/^its item 36 is not known/)
    expect(refused(header(), Buffer.alloc(0))).toBe('it has an item without content, which belongs nowhere')
    expect(refused(header(), Buffer.concat([bytesField(2), bytesField(3)]))).toBe('an item has both the number 2 and 3')
    expect(reasonOf(() => readBlock(sourceOf(bytesField(2, Buffer.of(1)))))).toBe('it has the field 2 beside its items')
  })

  it('with a proof of no known kind, or of two', () => {
    const proof = (...fields: Buffer[]) => refused(header(), footer(), bytesField(9, ...fields))
    expect(proof(varintField(1, 7))).toBe('a proof of it is of no known kind')
    expect(proof(bytesField(5))).toBe('a proof of it is of no known kind')
    expect(proof(bytesField(2), bytesField(4))).toBe('a proof of it is of two kinds, signature and record-file')
  })

  it('with two record files, or with rounds beside one', () => {
    expect(refused(header(), recordFile, recordFile)).toBe('it wraps two record files')
    const reason = 'it has rounds beside the record file that it wraps'
    expect(refused(header(), recordFile, round(1))).toBe(reason)
    expect(refused(header(), ...transaction, recordFile)).toBe(reason)
    expect(whole({ stateChanges: {} }, recordFile).recordFile).toEqual(
      Buffer.from(encode('com.hedera.hapi.block.stream.RecordFileItem', recordFile['recordFile'] as Message)),
    )
  })

  it('where somebody filtered items out', () => {
    for (const tree of [3, 4, 5, 8, 17])
      expect(refused(header(), { filteredSingleItem: { itemHash: hash48(1), tree } })).toBe(
        'items of it have been filtered out; take it from a source of whole blocks',
      )
  })

  it('where items were redacted, unless that is accepted of items of a tree with the hash of one', () => {
    const redacted = (tree: number, itemHash = hash48(1)) => ({ redactedItem: { itemHash, tree } })
    const bytes = blockBytes([header(), redacted(5), footer(), signatureProof()])
    expect(errorOf(() => readBlock(sourceOf(bytes)))).toMatchObject({
      code: 'proof_invalid',
      message: expect.stringContaining('--accept-unproved redactions'),
      details: { part: 'redactions' },
    })
    for (const tree of [3, 17])
      expect(refused(header(), redacted(tree))).toBe(`a hidden item is of the tree ${tree}, which has no items`)
    for (const length of [0, 32])
      expect(refused(header(), redacted(5, hash48(1).subarray(0, length)))).toBe(
        `a hidden item has ${length} bytes of hash instead of 48`,
      )
  })

  it('and named with its source', () => {
    expect(() => readBlock(sourceOf(Buffer.alloc(0)))).toThrow(
      /^0000000000000000007\.blk of a source: it is empty\. Another source is asked/,
    )
  })
})
