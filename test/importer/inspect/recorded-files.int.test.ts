import { describe, expect, it } from 'vitest'
import { inspectedAs } from '#test/importer/inspect/inspected.ts'
import { hasSamples, readFacts, sample, samplePath } from '#test/importer/samples.ts'

interface BlockFacts {
  readonly path: string
  readonly number: string
  readonly hash?: string
  readonly previousHash: string
  readonly transactionCount?: number
}

describe.skipIf(!hasSamples)('recorded files', () => {
  const facts = hasSamples ? readFacts() : undefined
  const { blockFiles = [] } = hasSamples
    ? (JSON.parse(sample('facts.json').toString('utf8')) as { blockFiles: BlockFacts[] })
    : {}

  it('are told as they are known: every block', { timeout: 60_000 }, async () => {
    for (const { path, number, hash, previousHash, transactionCount } of blockFiles) {
      const block = await inspectedAs('block', samplePath(path))
      expect(block.number.toString(), path).toBe(number)
      if (hash !== undefined) expect(Object.values(block.hashes), path).toContain(hash)
      if (block.recordFile === null) expect(block.count, path).toBe(transactionCount)
      if (block.recordFile === null) expect(block.previousHash, path).toBe(previousHash)
    }
    expect(blockFiles.length).toBeGreaterThan(10)
  })

  it('are told as they are known: every record file', { timeout: 60_000 }, async () => {
    for (const { name, version, paths, fileHash, hash, count } of facts!.recordFiles) {
      for (const path of paths.slice(0, 2)) {
        const file = await inspectedAs('record', samplePath(path))
        expect({ version: file.version, fileHash: file.fileHash, hash: file.hash, count: file.count }, name).toEqual({
          version,
          fileHash,
          hash,
          count,
        })
      }
    }
  })

  it('are told as they are known: every sidecar and every signature', async () => {
    for (const { paths, hashOfDecompressedBytes } of facts!.sidecarFiles) {
      const sidecar = await inspectedAs('sidecar', samplePath(paths[0]!))
      expect(sidecar.hash).toBe(hashOfDecompressedBytes)
    }
    for (const { path, version, fileHash } of facts!.signatureSamples) {
      const signature = await inspectedAs('signature', samplePath(path))
      expect({ version: signature.version, fileHash: signature.fileHash }, path).toEqual({
        version: Math.max(2, version),
        fileHash,
      })
    }
  })

  it('prove what the network has signed: blocks of both libraries, and a wrapped file by its nodes', async () => {
    const path = 'block/consensus-node'
    for (const folder of ['CN_0_73_TSS_WRAPS_LEGACY', 'CN_11_12_TSS_SCHNORR', 'CN_11_12_TSS_WRAPS']) {
      const { proofs, hashRule } = await inspectedAs('block', samplePath(`${path}/${folder}/0.blk.gz`))
      expect(proofs[0], folder).toMatchObject({ verdict: 'holds', ledger: { saidBy: 'the block itself' } })
      expect(hashRule).toBe(folder.startsWith('CN_0_73') ? 'eight' : 'sixteen')
    }
    const wrapped = 'block/wrapped/mainnet/block/0000/0000/0008/2297/471.blk.zstd'
    const addressBook = sample('record/mainnet-v6/address_book.bin')
    const block = await inspectedAs('block', samplePath(wrapped), { addressBook })
    expect(block.proofs).toMatchObject([{ verdict: 'holds', form: 'RECORD_FILE' }])
    expect(block.proofs[0]!.signatures.every(({ verdict }) => verdict === 'holds')).toBe(true)
  })
})
