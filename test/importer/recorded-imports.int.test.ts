import { describe, expect, it } from 'vitest'
import type { ImporterSettings } from '#src/importer/settings.ts'
import { ImportWorld } from '#test/importer/import-world.ts'
import { hasSamples, type RecordFacts, readFacts, sample, samplePath } from '#test/importer/samples.ts'

const facts = hasSamples ? readFacts() : undefined
const noShare = { numerator: 0n, denominator: 1n }

interface SampleSet {
  readonly folder: string
  readonly book: string
  readonly settings?: Partial<ImporterSettings>
}

const sets: readonly SampleSet[] = [
  { folder: 'record/v1', book: 'addressbook/test/test-v1' },
  { folder: 'record/v2', book: 'addressbook/bundled/testnet' },
  { folder: 'record/v2v5', book: 'addressbook/bundled/testnet' },
  { folder: 'record/v5', book: 'addressbook/bundled/testnet' },
  { folder: 'record/v5v6', book: 'addressbook/test/test-v6-4n.bin' },
  {
    folder: 'record/v6',
    book: 'addressbook/test/test-v6-sidecar-4n.bin',
    settings: { sidecarTypes: new Set([1, 2, 3]) },
  },
  { folder: 'record/mainnet-v2', book: 'addressbook/bundled/mainnet' },
  { folder: 'record/mainnet-v5', book: 'record/mainnet-v5/address_book.bin' },
  {
    folder: 'record/mainnet-v6',
    book: 'record/mainnet-v6/address_book.bin',
    settings: { sidecarTypes: new Set([1, 2, 3]) },
  },
  { folder: 'hip679/provider-auto', book: 'addressbook/test/test-v6-sidecar-4n.bin' },
  {
    folder: 'hip679/provider-node-id',
    book: 'addressbook/test/test-v6-sidecar-4n.bin',
    settings: { consensusRatio: noShare, pathType: 'NODE_ID', sidecarTypes: new Set([1, 2, 3]) },
  },
]

describe.skipIf(!facts)('import of recorded streams', () => {
  it.each(sets.map((set) => [set.folder, set] as const))('publishes %s with the known facts', async (folder, set) => {
    const world = new ImportWorld()
    const summary = await world.import(samplePath(folder), { addressBook: sample(set.book), ...set.settings })
    const expected = filesOf(folder)
    expect((await world.blocks()).map(factsOf)).toEqual(expected.map(expectedOf))
    const blocks = await world.blocks()
    expect(blocks.map(({ signedBy }) => signedBy.length)).toEqual(expected.map((file) => signerCount(file, folder)))
    expect(await world.transactions()).toHaveLength(sum(expected.map(({ count }) => count)))
    expect(summary.blocks).toBe(expected.length)
  })
})

function filesOf(folder: string): RecordFacts[] {
  const files = facts?.recordFiles ?? []
  return files
    .filter(({ paths }) => paths.some((path) => path.startsWith(`${folder}/`)))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Signatures listed in the facts are those of the record sets; the others have one per folder. */
function signerCount(file: RecordFacts, folder: string): number {
  const listed = (file.signatures ?? []).filter(({ path }) => path.startsWith(`${folder}/`))
  return listed.length > 0 ? listed.length : file.paths.filter((path) => path.startsWith(`${folder}/`)).length
}

function factsOf(block: Awaited<ReturnType<ImportWorld['blocks']>>[number]) {
  const { name, version, count, consensusStart, consensusEnd, hash, previousHash, fileHash, metadataHash, size } = block
  const { hapiVersionMajor, hapiVersionMinor, hapiVersionPatch, sidecarCount, numberProvisional, number } = block
  return {
    name,
    version,
    count: Number(count),
    consensusStart: String(consensusStart),
    consensusEnd: String(consensusEnd),
    hash: hash.toString('hex'),
    previousHash: previousHash.toString('hex'),
    fileHash: fileHash?.toString('hex'),
    metadataHash: metadataHash?.toString('hex'),
    size,
    hapiVersion:
      hapiVersionMajor === null ? undefined : [hapiVersionMajor, hapiVersionMinor, hapiVersionPatch].join('.'),
    sidecarCount,
    blockNumber: numberProvisional ? undefined : String(number),
  }
}

function expectedOf(file: RecordFacts) {
  const { name, version, count, consensusStart, consensusEnd, hash, previousHash, fileHash, metadataHash } = file
  const { sizeOnDisk, hapiVersion, sidecars, blockNumber } = file
  return {
    name,
    version,
    count,
    consensusStart,
    consensusEnd,
    hash,
    previousHash,
    fileHash,
    metadataHash,
    size: sizeOnDisk,
    hapiVersion,
    sidecarCount: sidecars?.length ?? 0,
    blockNumber,
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
