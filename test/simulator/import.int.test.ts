import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { SimulatorOptions } from '#src/simulator/options.ts'
import { runSimulator } from '#src/simulator/run.ts'
import { ImportWorld } from '#test/importer/import-world.ts'

const sidecarTypes = new Set([1, 2, 3])

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'simulated-import-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function simulateAndImport(options: SimulatorOptions, blocks: number) {
  const written = await runSimulator({ folder, options, blocks })
  const world = new ImportWorld()
  const addressBook = readFileSync(join(folder, 'address-book.bin'))
  const summary = await world.import(folder, { addressBook, sidecarTypes })
  return { written, world, summary }
}

describe('files of the simulated network', () => {
  it('pass the full verification of the importer, every transaction parsed', async () => {
    const options = {
      seed: 'import test',
      accounts: 50,
      transactionsPerSecond: 25,
      stakeUpdateSeconds: 30,
      addressBookUpdateBlocks: 10,
    }
    const { written, world, summary } = await simulateAndImport(options, 60)
    expect(summary).toMatchObject({
      blocks: 60,
      transactions: written.transactions,
      firstBlock: 0n,
      lastBlock: 59n,
      warnings: {},
    })
    expect((await world.blocks()).every(({ signedBy }) => signedBy.length === 4)).toBe(true)
    const transactions = await world.transactions()
    expect(transactions.filter(({ unparsed }) => unparsed !== null)).toEqual([])
    expect(new Set(transactions.map(({ type }) => type)).size).toBeGreaterThanOrEqual(69)
    expect(transactions.some(({ contractActions }) => (contractActions ?? []).length > 0)).toBe(true)
  })

  it('are accepted when only one node publishes data and stakes differ', async () => {
    const options: SimulatorOptions = {
      seed: 'import test',
      accounts: 30,
      stakes: [1_000, 5_000, 0, 20],
      dataCopies: 'one',
      mix: 'transfers',
    }
    const { written, summary } = await simulateAndImport(options, 10)
    expect(summary).toMatchObject({ blocks: 10, transactions: written.transactions, warnings: {} })
  })
})
