import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { openFolderSource } from '#src/adapters/folder/folder-source.ts'
import type { StreamSource } from '#src/ports/stream-source.ts'
import { addressBook, beforeEachImport, nodes, transfer } from '#test/importer/import-folder.ts'
import type { ImportWorld } from '#test/importer/import-world.ts'
import { bytesField } from '#test/support/protobuf-writer.ts'
import {
  byAccount,
  chainV6,
  recordFileV6,
  signatureName,
  type TestFile,
  type TestNode,
  timestamp,
  writeFile,
} from '#test/support/record-writer.ts'

const first = 1_700_000_000_123_456_789n
let root: string
let world: ImportWorld

beforeEachImport((folder, fresh) => {
  root = folder
  world = fresh
})

function chain(length: number): TestFile[] {
  return chainV6({ first, number: 1n, items: Array.from({ length }, () => transfer) })
}

function putInto(node: TestNode, name: string, bytes: Uint8Array | string = 'x'): void {
  writeFileSync(join(root, byAccount(node), name), bytes)
}

const numbers = async () => (await world.blocks()).map(({ number }) => number)

describe('one node', () => {
  it.each([
    ['packed', (name: string) => `${name}.gz`, gzipSync],
    ['under a name that is none', (name: string) => name.replace('.rcd_sig', '.rcd.rcd_sig'), Buffer.from],
    ['under another extension', (name: string) => name.replace('.rcd_sig', '.old.rcd_sig'), Buffer.from],
  ] as const)('has one vote, though its signature is there twice, %s', async (_, rename, convert) => {
    const [file] = chain(1) as [TestFile]
    writeFile(file, { root, nodes: nodes.slice(0, 1) })
    const signature = readFileSync(join(root, byAccount(nodes[0]!), signatureName(file)))
    putInto(nodes[0]!, rename(signatureName(file)), convert(signature))
    const error = await world.failure(root, { addressBook })
    expect(error).toMatchObject({ code: 'consensus_missing', details: { have: 1n, required: 2n } })
    expect(await world.blocks()).toEqual([])
  })

  it('does not hold the others up with an odd name beside a good file', async () => {
    const files = chain(2)
    for (const file of files) writeFile(file, { root, nodes })
    putInto(nodes[0]!, signatureName(files[0]!).replace('.rcd_sig', '.old.rcd_sig'))
    const summary = await world.import(root, { addressBook })
    expect(await numbers()).toEqual([1n, 2n])
    expect((await world.blocks())[0]?.signedBy).toEqual([0n, 1n, 2n, 3n])
    expect(summary.warnings).toEqual({ file_name_invalid: 1 })
  })

  it('does not fail an import with an odd name behind the last file', async () => {
    const files = chain(2)
    for (const file of files) writeFile(file, { root, nodes })
    putInto(nodes[0]!, 'latest.rcd_sig')
    const summary = await world.import(root, { addressBook })
    expect(summary).toMatchObject({ blocks: 2, warnings: { file_name_invalid: 1 } })
    expect(world.lines.filter(({ level }) => level === 'error')).toEqual([])
  })

  it.each([
    ['between two files', (at: number) => `2023-11-14T22_13_23.0_${String(at).padStart(4, '0')}.tmp`],
    ['of the instant of a file', (at: number) => `2023-11-14T22_13_24.123456789Z.${String(at).padStart(4, '0')}.tmp`],
  ])('does not cut the import short with many temporary files %s', async (_, nameOf) => {
    for (const file of chain(5)) writeFile(file, { root, nodes })
    for (let at = 0; at < 300; at++) putInto(nodes[3]!, nameOf(at))
    await world.import(root, { addressBook })
    expect(await numbers()).toEqual([1n, 2n, 3n, 4n, 5n])
    expect((await world.blocks()).at(-1)?.signedBy).toEqual([0n, 1n, 2n, 3n])
  })

  it('does not cut the import short with many signatures that nobody else has', async () => {
    for (const file of chain(5)) writeFile(file, { root, nodes })
    for (let at = 0; at < 200; at++) {
      putInto(nodes[3]!, `2023-11-14T22_13_23.${String(at).padStart(9, '0')}Z.rcd_sig`)
    }
    await world.import(root, { addressBook, listFilesMax: 8 })
    expect(await numbers()).toEqual([1n, 2n, 3n, 4n, 5n])
  })

  /** A source in which the folders of these nodes never end with temporary files. */
  function endlessFor(crowded: readonly TestNode[]): StreamSource {
    const folder = openFolderSource({ folder: root })
    const names = crowded.map(byAccount)
    return {
      description: 'endless',
      listFolders: (...options) => folder.listFolders(...options),
      list: async (options) =>
        names.includes(options.folder)
          ? Array.from({ length: options.countMax }, () => ({ name: '2023-11-14T22_13_19.1.tmp', size: 1 }))
          : folder.list(options),
      fetch: (path, options) => folder.fetch(path, options),
      waitForChange: (milliseconds, signal) => folder.waitForChange(milliseconds, signal),
      close: () => folder.close(),
    }
  }

  it('is left out when its files cannot be found among all that is no file of the stream', async () => {
    for (const file of chain(2)) writeFile(file, { root, nodes })
    const summary = await world.import(endlessFor(nodes.slice(3)), { addressBook })
    expect((await world.blocks()).map(({ signedBy }) => signedBy)).toEqual([
      [0n, 1n, 2n],
      [0n, 1n, 2n],
    ])
    expect(summary.warnings).toEqual({ source_unavailable: 1 })
    expect(world.warnings()[0]).toMatch(/record0.0.6 of node 3 holds thousands of objects.*remove them/)
  })

  it('alone is not the end of the stream, when too many others cannot be read', async () => {
    writeFile(chain(1)[0]!, { root, nodes })
    await world.import(root, { addressBook })
    const error = await world.failure(endlessFor(nodes.slice(1)), {})
    expect(error.code).toBe('source_unavailable')
  })
})

describe('a copy', () => {
  it('is not read before its hash is known to be a signed one', async () => {
    const [file] = chain(1) as [TestFile]
    writeFile(file, { root, nodes })
    for (const node of nodes) putInto(node, file.name, gzipSync(Buffer.from([0, 0, 0, 6, 0x1a, 2, 0x0a, 0xff])))
    const error = await world.failure(root, { addressBook })
    expect(error.code).toBe('hash_mismatch')
  })

  it('of a sidecar is not read before its hash is known to be the one that the record file names', async () => {
    const sidecarRecord = Buffer.concat([bytesField(1, timestamp(first)), bytesField(4, Buffer.alloc(0))])
    const items = transfer(first)
    const file = recordFileV6({
      time: first,
      number: 1n,
      items,
      startHash: Buffer.alloc(48),
      sidecarRecords: [sidecarRecord],
    })
    writeFile(file, { root, nodes })
    const name = join('sidecar', file.name.replace('.rcd', '_01.rcd'))
    for (const node of nodes) putInto(node, name, gzipSync(Buffer.from([0x0a, 0xff])))
    const error = await world.failure(root, { addressBook, sidecarTypes: new Set([2]) })
    expect(error.message).toMatch(/its hash .* is not .*, which the signed record file names/)
  })

  it('of a signature that unpacks beyond all bounds is passed over', async () => {
    const [file] = chain(1) as [TestFile]
    writeFile(file, { root, nodes })
    const path = join(root, byAccount(nodes[3]!), signatureName(file))
    const padded = Buffer.concat([readFileSync(path), bytesField(15, Buffer.alloc(100_000))])
    writeFileSync(path, gzipSync(padded))
    expect(gunzipSync(readFileSync(path))).toEqual(padded)
    const summary = await world.import(root, { addressBook })
    expect((await world.blocks())[0]?.signedBy).toEqual([0n, 1n, 2n])
    expect(summary.warnings).toEqual({ signature_malformed: 1 })
  })
})
