import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BlockRecorded } from '#schemas/events/types.ts'
import { factBytes } from '#src/events/provenance.ts'
import type { ImporterSettings } from '#src/importer/settings.ts'
import { folderBlocks, inlineChecker, putBlock } from '#test/importer/block/folder-blocks.ts'
import { ImportWorld } from '#test/importer/import-world.ts'
import { hasSamples, sample, samplePath } from '#test/importer/samples.ts'
import { bytesField, textField, varintField } from '#test/support/protobuf-writer.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'

interface BlockFacts {
  readonly path: string
  readonly number: string
  /** Absent where nothing tells under which rule it was made. */
  readonly hash?: string
  readonly hapiVersion: string
  readonly previousHash: string
  readonly roundStart?: string
  readonly roundEnd?: string
  readonly transactionCount?: number
  readonly consensusStart?: string
  readonly consensusEnd?: string
  readonly wrappedRecordFile?: WrappedFacts
}

interface WrappedFacts {
  readonly recordFileName: string
  readonly recordFileVersion: number
  readonly blockNumber: string
  readonly count: number
  readonly hash: string
  readonly previousHash: string
  readonly fileHash: string
  readonly consensusStart: string
  readonly consensusEnd: string
  readonly reconstructedSize: number
  readonly validSignatures: number
}

const { blockFiles } = hasSamples
  ? (JSON.parse(sample('facts.json').toString('utf8')) as { blockFiles: BlockFacts[] })
  : { blockFiles: [] }

describe.skipIf(!hasSamples)('recorded blocks', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  beforeAll(async () => {
    folder = await temporaryFolder()
  })
  afterAll(() => folder.remove())

  /** A world whose source of blocks has those below these folders of the samples. */
  async function worldOf(under: string): Promise<{ world: ImportWorld; facts: BlockFacts[]; network: string }> {
    const network = under.toLowerCase().replace(/[^a-z0-9]+/g, '-')
    const facts = blockFiles.filter(({ path }) => path.startsWith(`block/${under}`))
    for (const { path, number } of facts) putBlock(samplePath(path), BigInt(number), folder.path, network)
    const world = new ImportWorld()
    world.blockInput = { supply: folderBlocks(folder.path, network), checker: await inlineChecker(), ledger: undefined }
    return { world, facts, network }
  }

  async function importBlocks(under: string, settings: Partial<ImporterSettings> = {}) {
    const { world, facts, network } = await worldOf(under)
    await world.import(folder.path, { stream: 'blocks', network, ...settings })
    return { world, facts }
  }

  it.each([
    'consensus-node/CN_0_73_TSS_WRAPS_LEGACY',
    'consensus-node/CN_11_12_TSS_SCHNORR',
    'consensus-node/CN_11_12_TSS_WRAPS',
  ])('%s: are proved by what block 0 publishes, and tell what was expected', async (under) => {
    const { world, facts } = await importBlocks(`${under}/`)
    expect((await world.blocks()).map(shown)).toEqual(facts.map(expectedOf))
    expect(await world.transactions()).toHaveLength(facts.reduce((sum, one) => sum + (one.transactionCount ?? 0), 0))
  })

  it('that nobody vouches for are refused, and the error names what is missing', async () => {
    const under = 'round-blocks-0.73/network/block/0000/0000/0000/0000/007'
    const { world, network } = await worldOf(under)
    const error = await world.failure(folder.path, { stream: 'blocks', network, startBlockNumber: 7n })
    expect(error.code).toBe('ledger_untrusted')
    expect(error.message).toContain('--ledger-publication')
    expect(await world.blocks()).toEqual([])
  })

  const wrapped: [string, Buffer | (() => Buffer), bigint][] = hasSamples
    ? [
        ['consensus-node/WRB/SOLO_4N/', soloAddressBook, 0n],
        ['genesis-wrapped/mainnet/', sample('addressbook/bundled/mainnet'), 0n],
        ['genesis-wrapped/testnet/', sample('addressbook/bundled/testnet'), 0n],
        ['wrapped/mainnet/block/0000/0000/0000', sample('addressbook/bundled/mainnet'), 0n],
        ['wrapped/mainnet/block/0000/0000/0002', sample('record/mainnet-v5/address_book.bin'), 26_591_040n],
        ['wrapped/mainnet/block/0000/0000/0008', sample('record/mainnet-v6/address_book.bin'), 82_297_471n],
      ]
    : []
  it.each(wrapped)('%s: are the record files that they wrap', async (under, book, startBlockNumber) => {
    const addressBook = typeof book === 'function' ? book() : book
    // That of mainnet tells the state that the ledger began with, beside its record file.
    const acceptUnproved = new Set(['genesis-state'] as const)
    const { world, facts } = await importBlocks(under, { addressBook, startBlockNumber, acceptUnproved })
    expect((await world.blocks()).map(shownFile)).toEqual(
      facts.map(({ wrappedRecordFile, hash }) => expectedFile(wrappedRecordFile as WrappedFacts, hash)),
    )
  })

  it('that wrap a record file give the events of the file, but for where they came from', async () => {
    const addressBook = sample('record/mainnet-v6/address_book.bin')
    const settings = { addressBook, sidecarTypes: new Set([1, 2, 3]) }
    const { world } = await importBlocks('wrapped/mainnet/block/0000/0000/0008', {
      ...settings,
      startBlockNumber: 82_297_471n,
    })
    const files = new ImportWorld()
    const name = '2025-07-23T20_37_42.076472454Z'
    await files.import(samplePath('record/mainnet-v6'), {
      ...settings,
      network: 'mainnet',
      startTime: 1_753_303_062_076_472_453n,
      endTime: 1_753_303_063_721_549_000n,
    })
    expect((await files.blocks()).map((block) => block.name)).toEqual([`${name}.rcd.gz`])
    const facts = async (of: ImportWorld) =>
      (await of.records())
        .filter(({ type }) => type === 'TransactionRecorded')
        .map((record) => Buffer.from(factBytes(record)).toString('hex'))
    expect(await facts(world)).toEqual(await facts(files))
  })
})

function shown(block: BlockRecorded) {
  return {
    number: block.number.toString(),
    hash: block.hash.toString('hex'),
    previousHash: block.previousHash.toString('hex'),
    hapiVersion: `${block.hapiVersionMajor}.${block.hapiVersionMinor}.${block.hapiVersionPatch}`,
    rounds: [block.roundStart, block.roundEnd].map(String),
    count: Number(block.count),
    times: [block.consensusStart, block.consensusEnd].map(String),
  }
}

function expectedOf(facts: BlockFacts) {
  const { number, hash, previousHash, hapiVersion, consensusStart, consensusEnd } = facts
  const rounds = [facts.roundStart, facts.roundEnd]
  return {
    number,
    hash,
    previousHash,
    hapiVersion,
    rounds,
    count: facts.transactionCount,
    times: [consensusStart, consensusEnd],
  }
}

function shownFile(block: BlockRecorded) {
  return {
    ...shown(block),
    name: block.name.replace(/\.gz$/, ''),
    version: block.version,
    fileHash: block.fileHash?.toString('hex'),
    blockRoot: block.blockRoot?.toString('hex'),
    signers: block.signedBy.length,
    rounds: undefined,
    hapiVersion: undefined,
  }
}

function expectedFile(file: WrappedFacts, blockRoot: string | undefined) {
  return {
    name: file.recordFileName,
    version: file.recordFileVersion,
    number: file.blockNumber,
    hash: file.hash,
    previousHash: file.previousHash,
    fileHash: file.fileHash,
    blockRoot: blockRoot ?? expect.any(String),
    count: file.count,
    times: [file.consensusStart, file.consensusEnd],
    signers: file.validSignatures,
    rounds: undefined,
    hapiVersion: undefined,
  }
}

/** As file 0.0.102 of the network would be. */
function soloAddressBook(): Buffer {
  const { nodeAddress } = JSON.parse(sample('block/consensus-node/WRB/SOLO_4N/address-book.json').toString('utf8')) as {
    nodeAddress: { RSAPubKey: string; nodeId?: string }[]
  }
  return Buffer.concat(
    nodeAddress.map(({ RSAPubKey, nodeId = '0' }) =>
      bytesField(
        1,
        textField(4, RSAPubKey),
        varintField(5, BigInt(nodeId)),
        bytesField(6, varintField(3, BigInt(nodeId) + 3n)),
      ),
    ),
  )
}
