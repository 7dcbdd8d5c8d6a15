import { randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { keptProjections } from '#projections/index.ts'
import type { BlockRecorded } from '#schemas/events/types.ts'
import { decodeEvent } from '#src/events/codec.ts'
import type { StoredRecord } from '#src/ports/message-log.ts'
import type { Row } from '#src/ports/read-store.ts'
import { runProjections } from '#src/runtime/fold/projector.ts'
import { mixPresets } from '#src/simulator/mix.ts'
import type { SimulatorOptions } from '#src/simulator/options.ts'
import { runSimulator } from '#src/simulator/run.ts'
import { createSimulatedLedger, type SimulatedLedger } from '#src/simulator/tss/simulated-ledger.ts'
import { folderBlocks, inlineChecker } from '#test/importer/block/folder-blocks.ts'
import { ImportWorld } from '#test/importer/import-world.ts'
import { allRowsOf } from '#test/support/folded-rows.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'

/** Transactions of each run; the whole of it with LEDGER_TEST_FORMS=100000. */
const transactions = Number(process.env['LEDGER_TEST_FORMS'] ?? 6_000)
const seed = process.env['LEDGER_TEST_SEED'] ?? String(randomInt(1_000_000))

/**
 * Fields of BlockRecorded that say in which form the block came. Everything else of a history is the same in both: where a block does not
 * carry something, its transactions' bodies or earlier transactions do. docs/compatibility.md says when they cannot.
 */
const fieldsOfForm = [
  'name',
  'hash',
  'previousHash',
  'previousRoot',
  'fileHash',
  'metadataHash',
  'version',
  'size',
  'sidecarCount',
  'roundStart',
  'roundEnd',
  // Provenance.
  'signedBy',
  'sourceNodeId',
  'blockRoot',
  'proof',
  'source',
] as const satisfies readonly (keyof BlockRecorded)[]

const mix = { ...mixPresets.default, weights: { ...mixPresets.default.weights, stackedBatch: 2 } }
const runs: readonly [string, SimulatorOptions, number][] = [
  ['all kinds of transactions', { mix }, transactions],
  ['all kinds, with state proofs and the older hash', { mix, stateProofs: true, hashRule: 'eight' }, transactions / 4],
  ['transfers', { mix: 'transfers' }, transactions / 4],
]

/** The last blocks that a later one would have proved. */
const awaitingMax = 3

describe(`the same history as record files and as blocks (LEDGER_TEST_SEED=${seed})`, () => {
  it.each(runs)('gives the same events: %s', { timeout: 1_800_000 }, async (name, options, count) => {
    const [files, blocks] = await bothForms(`${seed} ${name}`, options, count)
    const [inBlocks, inFiles] = [withoutForm(await blocks.records()), withoutForm(await files.records())]
    const late = inFiles.slice(inBlocks.length).filter((line) => line.startsWith('BlockRecorded'))
    expect(late.length).toBeLessThanOrEqual(options.stateProofs ? awaitingMax : 0)
    expect(inBlocks).toEqual(late.length === 0 ? inFiles : inFiles.slice(0, inBlocks.length))
    expect(blocks.lines.filter(({ level }) => level !== 'info')).toEqual([])
  })

  it('gives the same rows in every read model, but for hash, name and size of blocks', {
    timeout: 300_000,
  }, async () => {
    const worlds = await bothForms(seed, { mix }, 2_500)
    const [files, blocks] = await Promise.all(worlds.map(rowsOf))
    expect(Object.keys(files!)).toHaveLength(keptProjections.length)
    expect(blocks).toEqual(files)
  })
})

async function bothForms(
  seedOfRun: string,
  options: SimulatorOptions,
  count: number,
): Promise<[ImportWorld, ImportWorld]> {
  const signer = await createSimulatedLedger({ seed: seedOfRun, weights: [1, 1, 1, 1] })
  const common = {
    seed: seedOfRun,
    recordVersion: '0.80.0',
    transactionsPerSecond: 50,
    dataCopies: 'one',
    ...options,
  } as const
  return [
    await imported({ ...common, stream: 'records' }, count, signer),
    await imported({ ...common, stream: 'blocks' }, count, signer),
  ]
}

async function imported(
  options: SimulatorOptions & { readonly stream: 'records' | 'blocks' },
  count: number,
  signer: SimulatedLedger,
): Promise<ImportWorld> {
  const { stream } = options
  const folder = await temporaryFolder()
  await runSimulator({ folder: folder.path, options, transactions: count, signer })
  const world = new ImportWorld()
  const supply = folderBlocks(folder.path, 'simulated')
  world.blockInput = { supply, checker: await inlineChecker(), ledger: undefined }
  const addressBook = readFileSync(join(folder.path, 'address-book.bin'))
  await world.import(folder.path, { stream, network: 'simulated', addressBook, sidecarTypes: new Set([1, 2, 3]) })
  await folder.remove()
  return world
}

/** Each event as text; a block without what tells of its form, which its key does, too. */
function withoutForm(records: readonly StoredRecord[]): string[] {
  return records.map(({ type, key, time, value }) => {
    if (type !== 'BlockRecorded') return `${type} ${key} ${time} ${Buffer.from(value).toString('base64')}`
    const block: Record<string, unknown> = { ...decodeEvent({ type, value }) }
    for (const field of fieldsOfForm) delete block[field]
    return `${type} ${time} ${textOf(block)}`
  })
}

async function rowsOf({ log, store }: ImportWorld): Promise<Record<string, unknown>> {
  await runProjections({ log, store, projections: keptProjections, follow: false })
  const rows: Record<string, unknown> = {}
  for (const { schema } of keptProjections) {
    const found = await allRowsOf(store, schema)
    if (schema.name === 'blocks') found['blocks'] = found['blocks']!.map(withoutHash)
    rows[schema.name] = textOf(found)
  }
  return rows
}

/** What tells of the form of a block. */
function withoutHash({ hash: _hash, previousHash: _previous, name: _name, size: _size, ...row }: Row): Row {
  return row
}

function textOf(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) => (typeof each === 'bigint' ? `${each}n` : each))
}
