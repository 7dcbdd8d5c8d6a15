import { createPublicKey, hash, verify } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { SimulatedBlock } from '#src/simulator/block-files.ts'
import type { Message } from '#src/simulator/codec.ts'
import { createNetwork, type NetworkState } from '#src/simulator/network.ts'
import type { SimulatorOptions } from '#src/simulator/options.ts'
import { runningHashOver } from '#src/simulator/running-hash.ts'
import { nextBlocks } from '#test/simulator/next-blocks.ts'
import { decode, fileOf, readBlock } from '#test/simulator/read-back.ts'

const small: SimulatorOptions = { seed: 'network test', nodes: 3, accounts: 30, transactionsPerSecond: 20 }

function digest(blocks: readonly SimulatedBlock[]): string {
  const parts = blocks.flatMap(({ files }) =>
    files.flatMap(({ path, bytes }) => [Buffer.from(path), Buffer.from(bytes)]),
  )
  return hash('sha256', Buffer.concat(parts))
}

describe('the simulated network', () => {
  it('writes the same bytes for the same seed and others for another', async () => {
    const first = createNetwork(small)
    const again = createNetwork(small)
    const other = createNetwork({ ...small, nodes: 1, seed: 'another' })
    expect(again.addressBook).toEqual(first.addressBook)
    const expected = digest(await nextBlocks(first, 20))
    expect(digest(await nextBlocks(again, 20))).toBe(expected)
    expect(digest(await nextBlocks(other, 20))).not.toBe(expected)
  })

  it('goes on from a saved state as if it had never stopped', async () => {
    const undisturbed = createNetwork(small)
    await nextBlocks(undisturbed, 7)
    const saved = JSON.parse(JSON.stringify(undisturbed.save())) as NetworkState
    const resumed = createNetwork(small, saved)
    expect(digest(await nextBlocks(resumed, 10))).toBe(digest(await nextBlocks(undisturbed, 10)))
    expect(resumed.transactionCount).toBe(undisturbed.transactionCount)
  })

  it('numbers blocks from the configured number and chains their running hashes', async () => {
    const blocks = (await nextBlocks(createNetwork({ ...small, firstBlockNumber: 41 }), 5)).map(readBlock)
    let previous: Uint8Array = Buffer.alloc(48)
    for (const [index, { file, items }] of blocks.entries()) {
      expect(file['blockNumber']).toBe(41 + index)
      expect(hashIn(file, 'startObjectRunningHash')).toEqual(Buffer.from(previous))
      const slices = items.map(({ transaction, recordBytes }) => ({ transaction, record: recordBytes }))
      previous = runningHashOver(previous, slices)
      expect(hashIn(file, 'endObjectRunningHash')).toEqual(previous)
    }
  })

  it('signs the file hash and the metadata hash with each key of the address book', async () => {
    const network = createNetwork(small)
    const block = await network.nextBlock()
    const nodes = decode('proto.NodeAddressBook', network.addressBook)['nodeAddress'] as Message[]
    expect(nodes).toHaveLength(3)
    for (const [node, address] of nodes.entries()) {
      const key = createPublicKey({
        key: Buffer.from(String(address['RSA_PubKey']), 'hex'),
        format: 'der',
        type: 'spki',
      })
      const signatureFile = fileOf(block, node, 'rcd_sig')
      expect(signatureFile[0]).toBe(6)
      const { fileSignature, metadataSignature } = decode('proto.SignatureFile', signatureFile.subarray(1))
      for (const part of [fileSignature, metadataSignature] as Message[]) {
        expect(
          verify('sha384', (part['hashObject'] as Message)['hash'] as Buffer, key, part['signature'] as Buffer),
        ).toBe(true)
      }
      const fileHash = hash('sha384', gunzipSync(fileOf(block, node, 'Z.rcd.gz')), 'buffer')
      expect(((fileSignature as Message)['hashObject'] as Message)['hash']).toEqual(fileHash)
    }
  })

  it('lists its sidecars with their hashes and ties their records to transactions', async () => {
    const blocks = await nextBlocks(createNetwork(small), 10)
    const withSidecar = blocks.filter(({ files }) => files.some(({ path }) => path.includes('/sidecar/')))
    expect(withSidecar.length).toBeGreaterThan(5)
    for (const block of withSidecar) {
      const { file, items, sidecars } = readBlock(block)
      const [metadata = {}] = file['sidecars'] as Message[]
      const bytes = gunzipSync(fileOf(block, 2, '_01.rcd.gz'))
      expect((metadata['hash'] as Message)['hash']).toEqual(hash('sha384', bytes, 'buffer'))
      const times = new Set(items.map(({ record }) => JSON.stringify(record['consensusTimestamp'])))
      for (const record of sidecars) expect(times).toContain(JSON.stringify(record['consensusTimestamp']))
    }
  })

  it('writes no sidecars when told so, and data of one node only when told so', async () => {
    const network = createNetwork({ ...small, sidecars: false, dataCopies: 'one' })
    for (const block of await nextBlocks(network, 5)) {
      expect(block.files.filter(({ path }) => path.endsWith('.rcd.gz'))).toHaveLength(1)
      expect(block.files.filter(({ path }) => path.endsWith('.rcd_sig'))).toHaveLength(3)
      expect(readBlock(block).file['sidecars'] ?? []).toEqual([])
    }
  })

  it('lets time pass without breaking the chain', async () => {
    const network = createNetwork(small)
    const before = readBlock(await network.nextBlock())
    network.skipTo(network.nextStart + 3_600_000_000_000n)
    const after = readBlock(await network.nextBlock())
    expect(hashIn(after.file, 'startObjectRunningHash')).toEqual(hashIn(before.file, 'endObjectRunningHash'))
    expect(() => network.skipTo(0n)).toThrow(RangeError)
  })

  it('names every option that is out of range in one error', () => {
    const options = { nodes: 0, transactionsPerSecond: 0, accounts: 3 }
    expect(() => createNetwork(options)).toThrow(/nodes 0.*transaction rate 0.*accounts 3/)
    expect(() => createNetwork({ mix: 'nonsense' as 'default' })).toThrow(/no mix nonsense/)
  })
})

function hashIn(file: Message, field: string): Buffer {
  return (file[field] as Message)['hash'] as Buffer
}
