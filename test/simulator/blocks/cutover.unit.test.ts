import { createPublicKey, hash, verify } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { emptyTree, MerkleTree } from '#src/domain/merkle-tree.ts'
import type { SimulatedBlock } from '#src/simulator/block-files.ts'
import type { Message } from '#src/simulator/codec.ts'
import { createNetwork, type NetworkState } from '#src/simulator/network.ts'
import type { SimulatorOptions } from '#src/simulator/options.ts'
import { nanosOf, transactionsOf } from '#test/simulator/blocks/block-transactions.ts'
import { blockFilesOf, fieldsOf, hashOf, type ReadBlockFile, signer } from '#test/simulator/blocks/read-blocks.ts'
import { nextBlocks } from '#test/simulator/next-blocks.ts'
import { decode, fileOf, readBlock } from '#test/simulator/read-back.ts'

const options: SimulatorOptions = {
  seed: 'cutover',
  nodes: 3,
  accounts: 40,
  transactionsPerSecond: 20,
  stream: 'cutover',
  cutoverSeconds: 12,
}
const recordFiles = 6
const create = (more: SimulatorOptions = {}, saved?: NetworkState) =>
  createNetwork({ ...options, ...more }, saved, undefined, signer)

const recordFileIn = ({ items }: ReadBlockFile) => items.find(({ field }) => field === 'recordFile')

describe('a network that changes over', () => {
  it('writes record files until the cut and blocks from then on, with the next number', async () => {
    const blocks = await nextBlocks(create(), 10)
    expect(blocks.map(({ stream }) => stream)).toEqual([
      ...Array.from({ length: recordFiles }, () => 'records'),
      ...Array.from({ length: 4 }, () => 'blocks'),
    ])
    expect(blocks.map(({ number }) => number)).toEqual(Array.from({ length: 10 }, (_, number) => number))
  })

  it('tells the history that it would have told in record files alone', async () => {
    const expected = (await nextBlocks(create({ stream: 'records' }), 10)).map((block) => readBlock(block).items)
    const blocks = await nextBlocks(create(), 10)
    const files = blockFilesOf(blocks)
    for (const [index, block] of blocks.entries()) {
      const hashes =
        block.stream === 'records'
          ? readBlock(block).items.map(({ record }) => record['transactionHash'])
          : transactionsOf(files[index]!).map(({ signed }) => hash('sha384', signed, 'buffer'))
      expect(hashes).toEqual(expected[index]!.map(({ record }) => record['transactionHash']))
    }
  })

  it('lets consensus time rise across the cut', async () => {
    const blocks = await nextBlocks(create(), 8)
    const last = readBlock(blocks[recordFiles - 1]!).items.at(-1)
    const first = blockFilesOf(blocks)[recordFiles]!
    expect(nanosOf(first.header['blockTimestamp']) > nanosOf(last!.record['consensusTimestamp'])).toBe(true)
  })

  it('publishes its ledger in the first record file', async () => {
    const last = readBlock(await create().nextBlock()).items.at(-1)
    expect(last?.kind).toBe('ledgerIdPublication')
    expect(Buffer.from(last!.transaction).includes(Buffer.from(signer.publication))).toBe(true)
  })

  it('claims a version before and another one after the cut', async () => {
    const blocks = await nextBlocks(create({ blockVersion: '1.2.3' }), 7)
    expect(readBlock(blocks[0]!).file['hapiProtoVersion']).toEqual({ major: 0, minor: 79, patch: 0 })
    const [wrapped, first] = [blockFilesOf(blocks)[0]!, blockFilesOf(blocks)[recordFiles]!]
    expect(wrapped.header['hapiProtoVersion']).toEqual({ major: 0, minor: 79, patch: 0 })
    expect(first.header['hapiProtoVersion']).toEqual({ major: 1, minor: 2, patch: 3 })
  })

  it('goes on from a saved state as if it had never stopped, on either side of the cut', async () => {
    for (const before of [3, recordFiles, recordFiles + 2]) {
      const undisturbed = create()
      await nextBlocks(undisturbed, before)
      const saved = JSON.parse(JSON.stringify(undisturbed.save())) as NetworkState
      const files = async (network: ReturnType<typeof create>) =>
        (await nextBlocks(network, 6)).map((block) => block.files)
      expect(await files(create({}, saved))).toEqual(await files(undisturbed))
    }
  })

  it('never returns to record files, also when time or the options say so', async () => {
    const network = create()
    await nextBlocks(network, recordFiles + 1)
    const saved = JSON.parse(JSON.stringify(network.save())) as NetworkState
    expect((await create({ cutoverSeconds: 3_600 }, saved).nextBlock()).stream).toBe('blocks')
  })
})

describe('record files as blocks', () => {
  const wrappedOf = (blocks: readonly SimulatedBlock[]) => blockFilesOf(blocks).filter(recordFileIn)

  it('are written beside the files before a cut, and otherwise when asked for', async () => {
    expect(wrappedOf(await nextBlocks(create(), 8))).toHaveLength(recordFiles)
    expect(wrappedOf(await nextBlocks(create({ wrappedBlocks: false }), 8))).toHaveLength(0)
    expect(wrappedOf(await nextBlocks(create({ stream: 'records' }), 3))).toHaveLength(0)
    const alone = createNetwork({ ...options, stream: 'records', wrappedBlocks: true })
    expect(wrappedOf(await nextBlocks(alone, 3))).toHaveLength(3)
  })

  it('hold the bytes of the record file and its sidecars, signed by the nodes of the address book', async () => {
    const network = create()
    const nodes = decode('proto.NodeAddressBook', network.addressBook)['nodeAddress'] as Message[]
    const keys = nodes.map(({ RSA_PubKey }) =>
      createPublicKey({ key: Buffer.from(String(RSA_PubKey), 'hex'), format: 'der', type: 'spki' }),
    )
    const blocks = await nextBlocks(network, recordFiles)
    for (const [index, wrapped] of wrappedOf(blocks).entries()) {
      const block = blocks[index]!
      const data = gunzipSync(fileOf(block, 0, 'Z.rcd.gz'))
      const [[, content] = [0, new Uint8Array()]] = fieldsOf(recordFileIn(wrapped)!.bytes)
      const [creationTime, contents, ...sidecars] = fieldsOf(content)
      expect(Buffer.from(contents![1])).toEqual(data.subarray(4))
      expect(decode('proto.Timestamp', creationTime![1])).toEqual(wrapped.header['blockTimestamp'])
      expect(sidecars.map(([field, bytes]) => [field, Buffer.from(bytes)])).toEqual([
        [3, gunzipSync(fileOf(block, 0, '_01.rcd.gz'))],
      ])
      const fileHash = hash('sha384', Buffer.concat([Buffer.of(0, 0, 0, 6), contents![1]]), 'buffer')
      const { version, recordFileSignatures } = wrapped.proof['signedRecordFileProof'] as Message
      expect(version).toBe(6)
      const signatures = recordFileSignatures as { nodeId?: number; signaturesBytes: Uint8Array }[]
      expect(signatures.map(({ nodeId = 0 }) => nodeId)).toEqual([0, 1, 2])
      for (const { nodeId = 0, signaturesBytes } of signatures)
        expect(verify('sha384', fileHash, keys[nodeId]!, signaturesBytes)).toBe(true)
    }
  })

  for (const hashRule of ['sixteen', 'eight'] as const)
    it(`are a chain that the first block of its own kind joins, by the rule of ${hashRule}`, async () => {
      for (const wrappedBlocks of [true, false]) {
        const all = blockFilesOf(await nextBlocks(create({ hashRule }), 9))
        const files = blockFilesOf(await nextBlocks(create({ hashRule, wrappedBlocks }), 9))
        const earlier = new MerkleTree()
        let previous: Uint8Array = emptyTree
        for (const block of all) {
          const { footer, header } = block
          const published = files.find((file) => file.header['number'] === header['number'])
          if (published) expect(published.footer).toEqual(footer)
          expect(footer['previousBlockRootHash']).toEqual(Buffer.from(previous))
          expect(footer['rootHashOfAllBlockHashesTree']).toEqual(earlier.root())
          const isWithoutState = emptyTree.equals(footer['startOfBlockStateRootHash'] as Uint8Array)
          expect(isWithoutState).toBe(recordFileIn(block) !== undefined)
          previous = hashOf(block, hashRule)
          earlier.addHash(previous)
        }
      }
    })
})
