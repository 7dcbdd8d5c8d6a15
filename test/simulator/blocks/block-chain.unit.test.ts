import { describe, expect, it } from 'vitest'
import { emptyTree, MerkleTree } from '#src/domain/merkle-tree.ts'
import type { SimulatedBlock } from '#src/simulator/block-files.ts'
import type { Message } from '#src/simulator/codec.ts'
import { createNetwork, type NetworkState } from '#src/simulator/network.ts'
import type { SimulatorOptions } from '#src/simulator/options.ts'
import { nanosOf, transactionsOf } from '#test/simulator/blocks/block-transactions.ts'
import { blockFilesOf, hashOf, type ReadBlockFile, signer } from '#test/simulator/blocks/read-blocks.ts'
import { nextBlocks } from '#test/simulator/next-blocks.ts'

const options: SimulatorOptions = {
  seed: 'block chain',
  nodes: 3,
  accounts: 30,
  transactionsPerSecond: 3,
  stream: 'blocks',
}

const create = (more: SimulatorOptions = {}, saved?: NetworkState) =>
  createNetwork({ ...options, ...more }, saved, undefined, signer)

const bytesIn = (blocks: readonly SimulatedBlock[]) =>
  blocks.flatMap(({ files }) => files.map(({ path, bytes }) => `${path} ${Buffer.from(bytes).toString('base64')}`))
const fieldsIn = ({ items }: ReadBlockFile) => items.map(({ field }) => field)

describe('the chain of blocks', () => {
  for (const hashRule of ['sixteen', 'eight'] as const)
    it(`names the hash of each block in the next one, which the ledger signs, by the rule of ${hashRule}`, async () => {
      const blocks = blockFilesOf(await nextBlocks(create({ hashRule, firstBlockNumber: 7 }), 12))
      const earlier = new MerkleTree()
      let previous: Uint8Array = emptyTree
      const states = new Set<string>()
      for (const [index, block] of blocks.entries()) {
        const { header, footer, proof } = block
        expect(header['number']).toBe(7 + index)
        expect(proof['block']).toBe(7 + index)
        expect(footer['previousBlockRootHash']).toEqual(Buffer.from(previous))
        expect(footer['rootHashOfAllBlockHashesTree']).toEqual(earlier.root())
        states.add(Buffer.from(footer['startOfBlockStateRootHash'] as Uint8Array).toString('hex'))
        previous = hashOf(block, hashRule)
        earlier.addHash(previous)
        const { blockSignature } = proof['signedBlockProof'] as Message
        expect(blockSignature).toEqual(Buffer.from(signer.sign(previous)))
      }
      expect(states.size).toBe(blocks.length)
    })

  it('gives other hashes by the other rule', async () => {
    const [block] = blockFilesOf([await create().nextBlock()])
    expect(hashOf(block!, 'eight')).not.toEqual(hashOf(block!, 'sixteen'))
  })

  it('writes the same bytes for the same seed, and goes on from a saved state as if it had never stopped', async () => {
    const undisturbed = create()
    await nextBlocks(undisturbed, 7)
    const saved = JSON.parse(JSON.stringify(undisturbed.save())) as NetworkState
    const expected = bytesIn(await nextBlocks(undisturbed, 8))
    expect(bytesIn(await nextBlocks(create({}, saved), 8))).toEqual(expected)
    const again = create()
    await nextBlocks(again, 7)
    expect(bytesIn(await nextBlocks(again, 8))).toEqual(expected)
  })

  it('needs a ledger that signs', () => {
    expect(() => createNetwork(options)).toThrow(/stream blocks needs a ledger/)
  })
})

describe('a block', () => {
  it('lies in the bucket by its number, four digits a folder', async () => {
    const paths = await nextBlocks(create({ firstBlockNumber: 26_591_040, network: 'testnet-202601' }), 1)
    expect(paths.flatMap(({ files }) => files.map(({ path }) => path))).toEqual([
      'testnet-202601/block/0000/0000/0002/6591/040.blk.zstd',
    ])
    expect(paths[0]).toMatchObject({ name: '0000000000026591040.blk.zstd', stream: 'blocks', number: 26_591_040 })
  })

  it('begins with its header and ends with footer and proof, with nothing but rounds and state between', async () => {
    for (const block of blockFilesOf(await nextBlocks(create({ blockVersion: '0.81.2' }), 6))) {
      const fields = fieldsIn(block)
      expect(fields.slice(0, 3)).toEqual(['blockHeader', 'roundHeader', 'eventHeader'])
      expect(fields.slice(-4)).toEqual(['stateChanges', 'stateChanges', 'blockFooter', 'blockProof'])
      const version = { major: 0, minor: 81, patch: 2 }
      expect(block.header).toMatchObject({ hapiProtoVersion: version, softwareVersion: version })
      expect(block.header['hashAlgorithm'] ?? 0).toBe(0)
    }
  })

  it('has several rounds, which go on counting, some of them without a transaction', async () => {
    const blocks = blockFilesOf(await nextBlocks(create(), 10))
    const rounds = blocks.flatMap(({ items }) => items.filter(({ field }) => field === 'roundHeader'))
    expect(rounds.map(({ content }) => (content as Message)['roundNumber'])).toEqual(
      Array.from({ length: 80 }, (_, index) => index + 1),
    )
    const fields = blocks.flatMap(fieldsIn).join(' ')
    expect(fields).toMatch(/roundHeader( eventHeader)+ roundHeader/)
    expect(fields).toMatch(/eventHeader signedTransaction transactionResult( transactionOutput)* stateChanges/)
  })

  it('puts transactions in events of the nodes that they came through', async () => {
    const [, ...blocks] = blockFilesOf(await nextBlocks(create(), 10))
    let checked = 0
    for (const { items } of blocks) {
      const signed = new Map(transactionsOf({ items } as unknown as ReadBlockFile).map((one) => [one.signed, one]))
      let creator = -1
      for (const { field, content } of items) {
        if (field === 'eventHeader')
          creator = Number(((content as Message)['eventCore'] as Message)['creatorNodeId'] ?? 0)
        const node = field === 'signedTransaction' && signed.get(content as Uint8Array)?.body['nodeAccountID']
        if (!node) continue
        expect((node as Message)['accountNum']).toBe(3 + creator)
        checked += 1
      }
    }
    expect(checked).toBeGreaterThan(20)
  })

  it('has a state signature of each node without a result, and their state root', async () => {
    for (const { items, footer } of blockFilesOf(await nextBlocks(create(), 5)).slice(1)) {
      const block = { items } as unknown as ReadBlockFile
      const signed = items.filter(({ field }) => field === 'signedTransaction')
      const results = transactionsOf(block).length
      expect(signed.length - results).toBe(3)
      const root = Buffer.from(footer['startOfBlockStateRootHash'] as Uint8Array)
      const texts = signed.map(({ content }) => Buffer.from(content as Uint8Array).includes(root))
      expect(texts.filter(Boolean)).toHaveLength(3)
    }
  })

  it('is never later than its first transaction, and times rise from block to block', async () => {
    let before = 0n
    for (const block of blockFilesOf(await nextBlocks(create(), 8))) {
      const times = [nanosOf(block.header['blockTimestamp']), ...transactionsOf(block).map(({ time }) => time)]
      for (const time of times) {
        expect(time > before).toBe(true)
        before = time
      }
    }
  })

  it('number 0 tells what state begins with, before its first transaction and at no time, and ends with the ledger', async () => {
    const [block] = blockFilesOf(await nextBlocks(create(), 1))
    const first = block!.items.findIndex(({ field }) => field === 'signedTransaction')
    const opening = block!.items.slice(0, first).filter(({ field }) => field === 'stateChanges')
    expect(opening.length).toBeGreaterThan(2)
    for (const { content } of opening) expect(nanosOf((content as Message)['consensusTimestamp'])).toBe(0n)
    const last = transactionsOf(block!).at(-1)
    expect(last?.kind).toBe('ledgerIdPublication')
    expect(Buffer.from(last!.signed).includes(Buffer.from(signer.publication))).toBe(true)
  })
})
