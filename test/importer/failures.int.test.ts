import { readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { LedgerError } from '#src/domain/errors.ts'
import { addressBook, beforeEachImport, nodes } from '#test/importer/import-folder.ts'
import { ImportWorld } from '#test/importer/import-world.ts'
import { bytesField } from '#test/support/protobuf-writer.ts'
import {
  addressBookOf,
  byAccount,
  chainV6,
  recordFileV6,
  signatureFile,
  signatureName,
  type TestFile,
  type TestNode,
  testNodes,
  timestamp,
  transferItem,
  writeFile,
} from '#test/support/record-writer.ts'

const first = 1_700_000_000_123_456_789n
let root: string
let world: ImportWorld

beforeEachImport((folder, fresh) => {
  root = folder
  world = fresh
})

function twoFiles(): [TestFile, TestFile] {
  const [a, b] = chainV6({
    first,
    number: 7n,
    items: [(time) => [transferItem(time)], (time) => [transferItem(time), transferItem(time + 5n)]],
  })
  return [a as TestFile, b as TestFile]
}

function pathOf(node: TestNode, name: string): string {
  return join(root, byAccount(node), name)
}

/** Changes one byte of a copy; counted from the end when negative. */
function flip(path: string, at: number): void {
  const bytes = readFileSync(path)
  const index = at < 0 ? bytes.length + at : at
  bytes[index] = (bytes[index] as number) ^ 1
  writeFileSync(path, bytes)
}

/** The same in the unpacked bytes. */
function flipUnpacked(path: string, at: number): void {
  const bytes = gunzipSync(readFileSync(path))
  const index = at < 0 ? bytes.length + at : at
  bytes[index] = (bytes[index] as number) ^ 1
  writeFileSync(path, gzipSync(bytes))
}

/** `nodes` as the text names them: `node 0`, `nodes 0-3`. */
function expectNamed(error: LedgerError, file: string, nodes: string, reason: RegExp, step: RegExp): void {
  expect(error.message).toContain(file)
  expect(error.message).toMatch(new RegExp(`\\b${nodes}\\b`))
  expect(error.message).toMatch(reason)
  expect(error.message).toMatch(step)
  expect(error.details.file).toBeDefined()
}

describe('what must not be imported', () => {
  it('refuses too few signers and names the missing stake', async () => {
    const [a] = twoFiles()
    writeFile(a, { root, nodes: nodes.slice(0, 1) })
    const error = await world.failure(root, { addressBook })
    expect(error.code).toBe('consensus_missing')
    expect(error.details).toMatchObject({ have: 1n, required: 2n, total: 4n })
    expectNamed(
      error,
      `${a.name}: `,
      'node 0',
      /: signed by 1 of 4 stake \(node 0\), 2 needed; no signature of nodes 1-3\. /,
      /--consensus-ratio \(0: one valid signature is enough\)/,
    )
    expect(await world.blocks()).toHaveLength(0)
  })

  it('takes them when the consensus share is 0', async () => {
    const [a] = twoFiles()
    writeFile(a, { root, nodes: nodes.slice(0, 1) })
    await world.import(root, { addressBook, consensusRatio: { numerator: 0n, denominator: 1n } })
    expect((await world.blocks()).map(({ signedBy }) => signedBy)).toEqual([[0n]])
  })

  it('does not count a node whose signature has a flipped byte', async () => {
    const [a] = twoFiles()
    writeFile(a, { root, nodes })
    flip(pathOf(nodes[0]!, signatureName(a)), 40)
    await world.import(root, { addressBook })
    expect((await world.blocks())[0]?.signedBy).toEqual([1n, 2n, 3n])
    expect(world.warnings().some((text) => text.includes(signatureName(a)) && text.includes('node 0'))).toBe(true)
  })

  it('refuses a file when every signature is bad', async () => {
    const [a] = twoFiles()
    writeFile(a, { root, nodes })
    const others = testNodes(8).slice(4)
    const error = await world.failure(root, {
      addressBook: addressBookOf(others.map((node, index) => ({ ...node, nodeId: index, accountNumber: index + 3 }))),
    })
    expect(error.code).toBe('signature_invalid')
    expectNamed(
      error,
      signatureName(a),
      'nodes 0-3',
      /file signature does not fit the key/,
      /Check that the address book/,
    )
  })

  it('refuses a flipped byte of a signed part that every copy has', async () => {
    const [a, b] = twoFiles()
    for (const file of [a, b]) writeFile(file, { root, nodes })
    for (const node of nodes) flipUnpacked(pathOf(node, b.name), -200)
    const error = await world.failure(root, { addressBook })
    expect(['hash_mismatch', 'file_malformed']).toContain(error.code)
    expectNamed(
      error,
      b.name,
      'nodes 0-3',
      /none of the copies of nodes 0-3 can be used; node \d: its file hash/,
      /Repair or replace the file/,
    )
    expect(error.message).not.toMatch(/another node/i)
    expect(await world.blocks()).toHaveLength(1)
  })

  it('refuses a file wherever a byte is flipped', async () => {
    const [a] = twoFiles()
    const { length } = a.content
    for (let at = 0; at < length; at += 17) {
      const one = nodes.slice(0, 1)
      writeFile(a, { root, nodes: one })
      flipUnpacked(pathOf(nodes[0]!, a.name), at)
      const error = await new ImportWorld().failure(root, { addressBook: addressBookOf(one) })
      expect(['hash_mismatch', 'file_malformed']).toContain(error.code)
    }
  })

  it('refuses a signature wherever a byte is flipped in its hashes and signatures', async () => {
    const [a] = twoFiles()
    const one = nodes.slice(0, 1)
    const bytes = signatureFile(nodes[0]!, a)
    // Each half ends with the hash, before it the signature of 256 bytes and some tags.
    const half = bytes.length >> 1
    const covered = [
      half - 20,
      half - 100,
      half - 250,
      bytes.length - 1,
      bytes.length - 47,
      bytes.length - 80,
      bytes.length - 300,
    ]
    for (const at of covered) {
      writeFile(a, { root, nodes: one })
      flip(pathOf(nodes[0]!, signatureName(a)), at)
      const error = await new ImportWorld().failure(root, { addressBook: addressBookOf(one) })
      expect(error.code).toBe('signature_invalid')
      expectNamed(
        error,
        signatureName(a),
        'node 0',
        /no signature holds \(node 0\).* does not fit the key of the node/,
        /Check that the address book/,
      )
    }
  })

  it("passes a bad copy over for another node's and says so", async () => {
    const [a] = twoFiles()
    writeFile(a, { root, nodes })
    for (const node of nodes.slice(0, 3)) flipUnpacked(pathOf(node, a.name), -120)
    await world.import(root, { addressBook })
    expect((await world.blocks())[0]?.sourceNodeId).toBe(3n)
  })

  it('passes a missing copy over', async () => {
    const [a] = twoFiles()
    writeFile(a, { root, nodes })
    for (const node of nodes.slice(1)) unlinkSync(pathOf(node, a.name))
    await world.import(root, { addressBook })
    expect((await world.blocks())[0]?.sourceNodeId).toBe(0n)
  })

  it('asks first where the data was listed, so that one publisher of data is enough and nothing to warn of', async () => {
    const files = twoFiles()
    for (const file of files) writeFile(file, { root, nodes })
    for (const node of nodes.slice(0, 3)) for (const { name } of files) unlinkSync(pathOf(node, name))
    const summary = await world.import(root, { addressBook })
    expect((await world.blocks()).map(({ sourceNodeId }) => sourceNodeId)).toEqual([3n, 3n])
    expect(summary.warnings).toEqual({})
  })

  it('verifies no more signatures than needed when told so, but more when those nodes have no good copy', async () => {
    const [a, b] = twoFiles()
    for (const file of [a, b]) writeFile(file, { root, nodes })
    for (const node of nodes.slice(0, 2)) flipUnpacked(pathOf(node, b.name), -120)
    await world.import(root, { addressBook, signatureChecks: 'enough' })
    expect((await world.blocks()).map(({ signedBy }) => signedBy)).toEqual([
      [0n, 1n],
      [0n, 1n, 2n, 3n],
    ])
  })

  it('says when no node has the data', async () => {
    const [a] = twoFiles()
    writeFile(a, { root, nodes })
    for (const node of nodes) unlinkSync(pathOf(node, a.name))
    const error = await world.failure(root, { addressBook })
    expect(error.code).toBe('file_missing')
    expectNamed(error, a.name, 'nodes 0-3', /is not in the folder/, /wait until it is uploaded/)
  })

  it('refuses truncated gzip that every copy has', async () => {
    const [a] = twoFiles()
    writeFile(a, { root, nodes })
    for (const node of nodes) {
      const path = pathOf(node, a.name)
      writeFileSync(path, readFileSync(path).subarray(0, -20))
    }
    const error = await world.failure(root, { addressBook })
    expect(error.code).toBe('file_malformed')
    expectNamed(error, a.name, 'nodes 0-3', /gzip stream cannot be unpacked/, /Repair or replace the file/)
  })

  it('refuses a file that does not continue the chain', async () => {
    const [a] = twoFiles()
    const other = recordFileV6({
      time: first + 2_000_000_000n,
      number: 8n,
      items: [transferItem(first + 2_000_000_000n)],
      startHash: Buffer.alloc(48, 3),
    })
    for (const file of [a, other]) writeFile(file, { root, nodes })
    const error = await world.failure(root, { addressBook })
    expect(error.code).toBe('chain_broken')
    expectNamed(
      error,
      other.name,
      `node ${error.details.node}`,
      /continues the hash 0303/,
      /bring the missing files, or .* with --start-date 2023-11-14T22:13:22\.123456788Z/,
    )
    expect(await world.blocks()).toHaveLength(1)
    // Taken by its word, the advice leaves the gap behind.
    await world.import(root, { startTime: first + 2_000_000_000n - 1n })
    expect(await world.blocks()).toHaveLength(2)
  })

  it('tells those who signed another version from those who did not sign', async () => {
    const [a] = twoFiles()
    const other = recordFileV6({
      time: first,
      number: 7n,
      items: [transferItem(first)],
      startHash: Buffer.alloc(48, 5),
    })
    writeFile(a, { root, nodes: nodes.slice(0, 1) })
    writeFile(other, { root, nodes: nodes.slice(2, 3) })
    const error = await world.failure(root, { addressBook })
    expect(error.message).toMatch(
      /signed by 1 of 4 stake \(node 0\), 2 needed; no signature of nodes 1, 3; another version signed by node 2\. /,
    )
  })

  it('refuses a name that tells another time than the first transaction', async () => {
    const [a] = twoFiles()
    const name = a.name.replace('.123456789Z', '.999456789Z')
    writeFile({ ...a, name }, { root, nodes })
    const error = await world.failure(root, { addressBook })
    expect(error.code).toBe('file_name_invalid')
    expectNamed(error, name, 'nodes 0-3', /its first transaction is of/, /rename or remove the file/)
  })

  it('refuses a name that is none', async () => {
    const [a] = twoFiles()
    writeFile(a, { root, nodes })
    for (const node of nodes) renameSync(pathOf(node, signatureName(a)), pathOf(node, 'latest.rcd_sig'))
    const error = await world.failure(root, { addressBook })
    expect(error.code).toBe('file_name_invalid')
    expectNamed(error, 'latest.rcd_sig', 'node 0', /not the name of a signature file/, /rename or remove the file/)
  })

  it('refuses a sidecar that does not match, and takes it from a node that has the right one', async () => {
    const sidecarRecord = Buffer.concat([bytesField(1, timestamp(first)), bytesField(4, Buffer.alloc(0))])
    const file = recordFileV6({
      time: first,
      number: 1n,
      items: [transferItem(first)],
      startHash: Buffer.alloc(48),
      sidecarRecords: [sidecarRecord],
    })
    writeFile(file, { root, nodes })
    const sidecarPath = (node: TestNode) => pathOf(node, join('sidecar', file.name.replace('.rcd', '_01.rcd')))
    for (const node of nodes)
      writeFileSync(sidecarPath(node), gzipSync(bytesField(1, bytesField(1, timestamp(first + 1n)))))
    const settings = { addressBook, sidecarTypes: new Set([2]) }
    const error = await world.failure(root, settings)
    expect(error.code).toBe('sidecar_mismatch')
    expectNamed(error, '_01.rcd.gz', 'nodes 0-3', /which the signed record file names/, /import without sidecars/)
    writeFileSync(sidecarPath(nodes[3]!), gzipSync(file.sidecar!))
    await world.import(root, settings)
    expect((await world.blocks())[0]?.sourceNodeId).toBe(3n)
  })

  it('finds nothing and says where it looked', async () => {
    const error = await world.failure(root, { addressBook })
    expect(error.code).toBe('source_empty')
    expect(error.message).toMatch(/recordstreams\/record0\.0\.3/)
  })

  it('says that only the start date is in the way of the files there are', async () => {
    const [a, b] = twoFiles()
    for (const file of [a, b]) writeFile(file, { root, nodes })
    const error = await world.failure(root, { addressBook, startTime: first + 10n ** 12n })
    expect(error.code).toBe('source_empty')
    expect(error.message).toContain(
      `the first one ${a.name}, but none after --start-date 2023-11-14T22:30:00.123456789Z;`,
    )
  })

  it('refuses a log of another network', async () => {
    const [a] = twoFiles()
    writeFile(a, { root, nodes })
    await world.import(root, { addressBook })
    const error = await world.failure(root, { addressBook, network: 'other' })
    expect(error.code).toBe('data_folder_other_network')
    expect(error.message).toContain('"demo"')
  })

  it('refuses bytes that are no address book', async () => {
    expect((await world.failure(root, { addressBook: Buffer.from('nonsense') })).code).toBe('address_book_invalid')
    expect((await world.failure(root, {})).code).toBe('address_book_invalid')
    expect(await world.records()).toHaveLength(0)
  })
})
