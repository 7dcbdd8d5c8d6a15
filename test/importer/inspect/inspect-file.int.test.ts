import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isLedgerError } from '#src/domain/errors.ts'
import { isBad } from '#src/importer/inspect/inspect-file.ts'
import type { SimulatorOptions } from '#src/simulator/options.ts'
import { runSimulator } from '#src/simulator/run.ts'
import { createSimulatedLedger } from '#src/simulator/tss/simulated-ledger.ts'
import { inspected, inspectedAs } from '#test/importer/inspect/inspected.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
beforeAll(async () => {
  folder = await temporaryFolder()
  await simulate('blocks', { stream: 'blocks' })
  await simulate('eight', { stream: 'blocks', hashRule: 'eight', stateProofs: true })
  await simulate('cutover', { stream: 'cutover', cutoverSeconds: 4 })
}, 60_000)
afterAll(() => folder.remove())

async function simulate(name: string, options: SimulatorOptions): Promise<void> {
  const all = { seed: name, nodes: 3, accounts: 20, ...options }
  const signer = await createSimulatedLedger({ seed: name, weights: [1, 1, 1] })
  await runSimulator({ folder: join(folder.path, name), options: all, signer, blocks: 10 })
}

const inFolder = (...parts: string[]) => join(folder.path, ...parts)
const blockFile = (name: string, number: number) =>
  inFolder(name, `simulated/block/0000/0000/0000/0000/${String(number).padStart(3, '0')}.blk.zstd`)
const publication = (name: string) => readFileSync(inFolder(name, 'ledger-publication.bin'))
const addressBook = (name: string) => readFileSync(inFolder(name, 'address-book.bin'))
const nodeFolder = (node: number) => inFolder('cutover', `recordstreams/record0.0.${node + 3}`)
const namesIn = (path: string, end: string) => readdirSync(path).filter((name) => name.endsWith(end))

/** The bytes, with another one where this hash ends. */
function withOtherByte(bytes: Buffer, hash: string): Buffer {
  const at = bytes.indexOf(Buffer.from(hash, 'hex'))
  if (at === -1) throw new Error('the hash does not stand in the bytes')
  const changed = Buffer.from(bytes)
  changed.writeUInt8(changed.readUInt8(at + 47) ^ 1, at + 47)
  return changed
}

async function failureOf(attempt: Promise<unknown>): Promise<{ code: string; message: string }> {
  const error = await attempt.catch((thrown: unknown) => thrown)
  if (!isLedgerError(error)) throw new Error(`it did not fail: ${JSON.stringify(error)}`)
  return error
}

describe('a block', () => {
  it('is told with its hashes, counts, and a proof by the ledger that block 0 brings itself', async () => {
    const block = await inspectedAs('block', blockFile('blocks', 0))
    expect(block).toMatchObject({
      number: 0n,
      hapiVersion: '0.80.0',
      name: '0000000000000000000.blk',
      hashRule: 'sixteen',
    })
    expect(block.proofs).toMatchObject([
      { kind: 'signature', verdict: 'holds', form: 'SIGNATURE_SCHNORR', ledger: { saidBy: 'the block itself' } },
    ])
    expect(block.items).toMatchObject({ header: 1, footer: 1, proof: 1 })
    expect(block.items['transaction_result']).toBe(block.count)
    expect(block.transactions).toMatchObject({ CRYPTOCREATEACCOUNT: expect.any(Number), LEDGERIDPUBLICATION: 1 })
    expect(Object.values(block.transactions).reduce((sum, one) => sum + one, 0)).toBe(block.count)
    expect(block.consensusStart! <= block.consensusEnd!).toBe(true)
    expect(isBad(block)).toBe(false)
  })

  it('is the one that the next names as the one before, under the rule that its proof fits', async () => {
    for (const name of ['blocks', 'eight']) {
      const given = { ledgerPublication: publication(name) }
      const one = await inspectedAs('block', blockFile(name, 1), given)
      const next = await inspectedAs('block', blockFile(name, 2), given)
      expect(one.hashRule).toBe(name === 'eight' ? 'eight' : 'sixteen')
      expect(next.previousHash).toBe(one.hashes[one.hashRule!])
      expect(one.proofs[0]).toMatchObject({ verdict: 'holds', ledger: { saidBy: 'given' } })
    }
  })

  it('that a later one proves says so', async () => {
    const given = { ledgerPublication: publication('eight') }
    const files = namesIn(inFolder('eight/simulated/block/0000/0000/0000/0000'), '.zstd')
    const blocks = await Promise.all(files.map((_, number) => inspectedAs('block', blockFile('eight', number), given)))
    const proofs = blocks.map(({ proofs }) => proofs[0]!)
    expect(proofs.map(({ verdict }) => verdict)).toEqual(proofs.map(() => 'holds'))
    expect(proofs.map(({ kind }) => kind)).toContain('state')
    expect(proofs.find(({ kind }) => kind === 'state')?.form).toMatch(/^STATE_PROOF_/)
  })

  it('is not tried where nobody says whom to believe, and does not hold by another ledger', async () => {
    const alone = await inspectedAs('block', blockFile('blocks', 1))
    expect(alone.proofs).toMatchObject([
      { verdict: 'unchecked', reason: expect.stringContaining('--ledger-publication') },
    ])
    expect(alone.hashRule).toBeNull()
    expect(isBad(alone)).toBe(false)
    const other = await inspectedAs('block', blockFile('blocks', 1), { ledgerPublication: publication('eight') })
    expect(other.proofs).toMatchObject([{ verdict: 'fails', form: null }])
    expect(isBad(other)).toBe(true)
  })

  it('does not hold when a byte of it is another, packed in any way or not at all', async () => {
    const file = blockFile('blocks', 1)
    const content = zstdDecompressSync(readFileSync(file))
    const given = { ledgerPublication: publication('blocks') }
    const plain = file.replace('.zstd', '')
    const { previousHash } = await inspectedAs('block', plain, given, content)
    const changed = withOtherByte(content, previousHash)
    for (const [name, bytes] of [
      [plain, changed],
      [file, zstdCompressSync(changed)],
      [`${plain}.gz`, gzipSync(changed)],
    ] as const) {
      const block = await inspectedAs('block', name, given, bytes)
      expect(block.proofs).toMatchObject([
        { verdict: 'fails', reason: 'its signature is not of this hash by those who signed' },
      ])
      expect(isBad(block)).toBe(true)
    }
  })

  it('is refused before it is unpacked where it would be too large, and where it is cut off', async () => {
    const bomb = zstdCompressSync(Buffer.alloc(20 << 20, 10))
    const refused = await failureOf(inspected(blockFile('blocks', 1), { blockBytesMax: 16 << 20 }, bomb))
    expect(refused).toMatchObject({ code: 'file_malformed' })
    expect(refused.message).toMatch(/unpacks to 20971520 bytes, more than the limit of 16777216; .*--block-mib-max/)
    const cut = readFileSync(blockFile('blocks', 1)).subarray(0, 500)
    expect(await failureOf(inspected(blockFile('blocks', 1), {}, cut))).toMatchObject({ code: 'file_malformed' })
  })
})

describe('a block that wraps a record file', () => {
  it('is told with the file and the verdict of each node that signed it', async () => {
    const block = await inspectedAs('block', blockFile('cutover', 1), { addressBook: addressBook('cutover') })
    const name = namesIn(nodeFolder(0), '.rcd.gz').sort()[1]!
    expect(block.recordFile).toMatchObject({ name, version: 6, blockNumber: 1n, runningHash: { verdict: 'holds' } })
    expect(block.proofs).toMatchObject([{ kind: 'record-file', form: 'RECORD_FILE', verdict: 'holds' }])
    expect(block.proofs[0]!.signatures.map(({ nodeId, verdict }) => [nodeId, verdict])).toEqual([
      [0n, 'holds'],
      [1n, 'holds'],
      [2n, 'holds'],
    ])
    const file = await inspectedAs('record', join(nodeFolder(0), name))
    expect({ ...block.recordFile, size: 0, amendments: undefined }).toEqual({
      ...file,
      kind: undefined,
      signatures: undefined,
      size: 0,
    })
  })

  it('is not tried without an address book, and does not hold by that of other nodes', async () => {
    const alone = await inspectedAs('block', blockFile('cutover', 1))
    expect(alone.proofs).toMatchObject([{ verdict: 'unchecked', reason: expect.stringContaining('--address-book') }])
    const other = await inspectedAs('block', blockFile('cutover', 1), { addressBook: addressBook('blocks') })
    expect(other.proofs[0]).toMatchObject({ verdict: 'fails' })
    expect(other.proofs[0]!.signatures[0]).toMatchObject({
      verdict: 'fails',
      reason: 'it does not fit the key of the node',
    })
    expect(isBad(other)).toBe(true)
  })
})

describe('record files, signatures and sidecars', () => {
  const first = () => join(nodeFolder(1), namesIn(nodeFolder(1), '.rcd.gz').sort()[0]!)

  it('are told with the signature that lies beside, and whose it is', async () => {
    const file = await inspectedAs('record', first(), { addressBook: addressBook('cutover') })
    expect(file).toMatchObject({ version: 6, blockNumber: 0n, hapiVersion: '0.79.0' })
    expect(file.signatures).toMatchObject([
      { signedBy: 1n, signature: { verdict: 'holds' }, data: { verdict: 'holds' } },
    ])
    expect(file.transactions).toMatchObject({ CRYPTOCREATEACCOUNT: expect.any(Number) })
    expect(isBad(file)).toBe(false)
  })

  it('are the same unpacked, and under another name', async () => {
    const packed = await inspectedAs('record', first())
    const content = gunzipSync(readFileSync(first()))
    for (const name of [first().replace(/\.gz$/, ''), inFolder('a-file-of-any-name')]) {
      const { hash, fileHash, transactions } = await inspectedAs('record', name, {}, content)
      expect({ hash, fileHash, transactions }).toEqual({
        hash: packed.hash,
        fileHash: packed.fileHash,
        transactions: packed.transactions,
      })
    }
  })

  it('do not hold where the file was changed', async () => {
    const { previousHash } = await inspectedAs('record', first())
    const content = withOtherByte(gunzipSync(readFileSync(first())), previousHash)
    const file = await inspectedAs('record', first(), {}, content)
    expect(file.runningHash).toEqual({ verdict: 'fails', reason: 'the items do not lead to it' })
    expect(isBad(file)).toBe(true)
  })

  it('say of a signature file what it signs, and whether that lies beside it', async () => {
    const file = first().replace('.rcd.gz', '.rcd_sig')
    const given = { addressBook: addressBook('cutover') }
    const signature = await inspectedAs('signature', file, given)
    expect(signature).toMatchObject({
      version: 6,
      signedBy: 1n,
      signature: { verdict: 'holds' },
      data: { verdict: 'holds' },
    })
    const elsewhere = await inspectedAs(
      'signature',
      inFolder('2030-01-01T00_00_00Z.rcd_sig'),
      given,
      readFileSync(file),
    )
    expect(elsewhere.data).toEqual({ verdict: 'unchecked', reason: '2030-01-01T00_00_00Z.rcd.gz is not beside it' })
    const odd = await inspected(inFolder('odd-name'), given, readFileSync(file))
    expect(odd).toMatchObject({ kind: 'signature', signedBy: 1n })
    const strangers = await inspectedAs('signature', file, { addressBook: addressBook('blocks') })
    expect(strangers.signature.reason).toBe('it fits the key of none of the 3 nodes of the address book')
    expect(isBad(strangers)).toBe(true)
  })

  it('say of a sidecar what it holds, with the hash by which the record file names it', async () => {
    const [name = ''] = namesIn(join(nodeFolder(1), 'sidecar'), '_01.rcd.gz').sort()
    const sidecar = await inspectedAs('sidecar', join(nodeFolder(1), 'sidecar', name))
    const file = await inspectedAs('record', first())
    expect(sidecar).toMatchObject({ id: 1, hash: file.sidecars[0]!.hash })
    expect(Object.values(sidecar.records).reduce((sum, one) => sum + one, 0)).toBeGreaterThan(0)
  })
})

describe('what is none of these', () => {
  it('is refused with what it is not', async () => {
    const refused = await failureOf(inspected(inFolder('blocks', 'network.json')))
    expect(refused).toMatchObject({ code: 'file_malformed' })
    expect(refused.message).toMatch(/^network\.json: neither its name nor how it begins is that of a block/)
  })
})
