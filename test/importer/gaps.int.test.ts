import { unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openFolderSource } from '#src/adapters/folder/folder-source.ts'
import { formatGap, gapToJson } from '#src/cli/importing/gap-texts.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { findGaps, type GapSummary } from '#src/importer/gaps/find-gaps.ts'
import type { Gap } from '#src/importer/gaps/gap.ts'
import { SourceListing } from '#src/importer/gaps/source-files.ts'
import { parseStreamFileName } from '#src/importer/record/file-name.ts'
import { importerDefaults } from '#src/importer/settings.ts'
import { importStateSchema } from '#src/importer/state/state-schema.ts'
import { addressBook, beforeEachImport, nodes, transfer } from '#test/importer/import-folder.ts'
import type { ImportWorld } from '#test/importer/import-world.ts'
import { publish, recordOf, transactionRecorded } from '#test/support/events.ts'
import { byAccount, chainV6, signatureName, type TestFile, writeFile } from '#test/support/record-writer.ts'

const first = 1_700_000_000_000_000_000n
const settings = { ...importerDefaults, network: 'demo', addressBook }
const commands = {
  run: 'RUN',
  republish: 'REPUBLISH',
  republishFromStart: 'REPUBLISH FROM START',
  republishWithoutEnd: 'REPUBLISH WITHOUT END',
}
let root: string
let world: ImportWorld

beforeEachImport((folder, fresh) => {
  root = folder
  world = fresh
})

const instantOf = (file: TestFile): bigint => parseStreamFileName(file.name)!.instant
const stem = (file: TestFile): string => file.name.slice(0, file.name.indexOf('Z') + 1)

/** Seven files numbered from 11, of which the first continues something. */
function writeSeven(): TestFile[] {
  const items = Array.from({ length: 7 }, () => transfer)
  const files = chainV6({ first, number: 11n, items }) as TestFile[]
  for (const file of files) writeFile(file, { root, nodes })
  return files
}

async function gapsOf(withSource = true, now = Date.now): Promise<{ gaps: Gap[]; summary: GapSummary }> {
  const source = openFolderSource({ folder: root })
  const search = findGaps({
    log: world.log,
    listing: withSource ? new SourceListing(source, settings, undefined) : undefined,
    settings,
    now,
    onProgress: () => undefined,
  })
  const gaps: Gap[] = []
  for (;;) {
    const next = await search.next()
    if (next.done) {
      await source.close()
      return { gaps, summary: next.value }
    }
    gaps.push(next.value)
  }
}

describe('gaps', () => {
  it('are none in a log that has all of its source', async () => {
    const lastBlock = { position: 17, time: instantOf(writeSeven()[6]!) }
    await world.import(root, { addressBook })
    expect(await gapsOf()).toEqual({ gaps: [], summary: { events: 17, blocks: 7n, lastBlock } })
  })

  it('before the first block are found where the source begins earlier', async () => {
    const files = writeSeven()
    await world.import(root, { addressBook, startTime: instantOf(files[1]!) })
    const { gaps } = await gapsOf()
    expect(gaps).toEqual([
      {
        kind: 'head',
        before: { name: files[2]!.name, number: 13n },
        files: { count: 2, first: stem(files[0]!), last: stem(files[1]!) },
      },
    ])
    expect(formatGap(gaps[0]!, commands)).toBe(
      `The source has 2 files (${stem(files[0]!)} to ${stem(files[1]!)}) before the log's first block, block 13 (${files[2]!.name})\n` +
        `  repair: REPUBLISH --reason 'earlier history'`,
    )
    expect((await gapsOf(false)).gaps).toEqual([])
  })

  it('in the middle are found by the chain, counted by the numbers, and told by the importer as well', async () => {
    const files = writeSeven()
    await world.import(root, { addressBook, endTime: instantOf(files[1]!) })
    await world.import(root, { startTime: instantOf(files[4]!) })
    const middle = {
      kind: 'middle',
      after: { name: files[1]!.name, number: 12n },
      before: { name: files[5]!.name, number: 16n },
      blocks: 3n,
    }
    const { gaps } = await gapsOf()
    expect(gaps).toEqual([{ ...middle, files: { count: 3, first: stem(files[2]!), last: stem(files[4]!) } }])
    expect(formatGap(gaps[0]!, commands)).toMatch(
      /^Between block 12 \(.*\) and block 16 \(.*\) 3 blocks are missing; the source has 3 files \(.* to .*\) there\n {2}repair: REPUBLISH FROM START --reason 'missing blocks'$/,
    )
    const alone = (await gapsOf(false)).gaps
    expect(alone).toEqual([{ ...middle, files: undefined }])
    expect(formatGap(alone[0]!, commands)).toMatch(/; name a source that has them with --source\n/)
    const reader = await world.store.openReader(importStateSchema)
    expect(await reader.get('progress', [[0]], ['breaks', 'gapBlocks'])).toEqual([{ breaks: 1n, gapBlocks: 3n }])
    await reader.close()
  })

  it('behind the last block are found, but not those that an importer is just about to bring', async () => {
    const files = writeSeven()
    await world.import(root, { addressBook, endTime: instantOf(files[4]!) })
    const { gaps } = await gapsOf()
    expect(gaps).toEqual([
      {
        kind: 'tail',
        after: { name: files[4]!.name, number: 15n },
        files: { count: 2, first: stem(files[5]!), last: stem(files[6]!) },
      },
    ])
    expect(formatGap(gaps[0]!, commands)).toMatch(/behind the log's last block, block 15 \(.*\)\n {2}repair: RUN$/)
    const justNow = () => Number(instantOf(files[5]!) / 1_000_000n) + 9_000
    expect((await gapsOf(true, justNow)).gaps).toEqual([])
  })

  it('are in the source itself where it goes on with nothing that continues the log', async () => {
    const files = writeSeven()
    await world.import(root, { addressBook, endTime: instantOf(files[2]!) })
    for (const node of nodes) unlinkSync(join(root, byAccount(node), signatureName(files[3]!)))
    const { gaps } = await gapsOf()
    expect(gaps).toMatchObject([
      { kind: 'source', after: { number: 13n }, files: { count: 3, first: stem(files[4]!) } },
    ])
    expect(formatGap(gaps[0]!, commands)).toMatch(
      /but none that continues it: .*A file is missing before it .* --start-date .*\n {2}repair: bring the missing files, then RUN$/,
    )
  })

  it('are not what too few nodes have signed', async () => {
    const files = writeSeven()
    await world.import(root, { addressBook })
    const [, odd] = chainV6({ first: instantOf(files[6]!), number: 17n, items: [transfer, transfer] }) as TestFile[]
    writeFile(odd!, { root, nodes: nodes.slice(0, 1) })
    expect((await gapsOf()).gaps).toEqual([])
  })

  it('are transactions that a block has and the log has not', async () => {
    await publish(world.log, [
      recordOf('TransactionRecorded', transactionRecorded({ consensusTimestamp: first })),
      recordOf('BlockRecorded', {
        number: 5n,
        name: 'a.rcd',
        count: 3n,
        previousHash: Buffer.alloc(48),
        hash: Buffer.alloc(48, 1),
      }),
    ])
    const { gaps } = await gapsOf(false)
    expect(gaps).toEqual([{ kind: 'transactions', block: { name: 'a.rcd', number: 5n }, expected: 3n, found: 1n }])
    expect(gapToJson(gaps[0]!, commands)).toEqual({
      kind: 'transactions',
      block: { name: 'a.rcd', number: 5n },
      expected: 3n,
      found: 1n,
      message:
        'block 5 (a.rcd) has 3 transactions, but the log holds 1 of it; an end date may have left the others out',
      repair: "REPUBLISH WITHOUT END --reason 'missing transactions'",
    })
  })

  it('are where the log cannot be read any further', async () => {
    writeSeven()
    await world.import(root, { addressBook })
    const { log } = world
    world.log = {
      openWriter: () => log.openWriter(),
      identity: () => log.identity(),
      head: () => log.head(),
      close: () => log.close(),
      read: async function* (options) {
        yield* log.read({ ...options, countMax: 5 })
        throw new LedgerError('log_damaged', 'Part 2 of event 18 is not what was written')
      },
    }
    const { gaps } = await gapsOf()
    expect(gaps).toMatchObject([{ kind: 'damage', position: 17, after: { number: 17n } }])
    expect(formatGap(gaps[0]!, commands)).toMatch(
      /^The log cannot be read behind event 17, after block 17 \(.*\): Part 2 of event 18 is not what was written\n {2}repair: REPUBLISH FROM START --reason damage$/,
    )
  })
})
