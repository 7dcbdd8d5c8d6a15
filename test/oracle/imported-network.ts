import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LedgerObserver } from '#src/simulator/ledger-change.ts'
import type { SimulatorOptions } from '#src/simulator/options.ts'
import { runSimulator } from '#src/simulator/run.ts'
import { ImportWorld } from '#test/importer/import-world.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'

const sidecarTypes = new Set([1, 2, 3])

/** Simulates so many blocks, verifies them and imports them, sidecars included, into a log in memory. */
export async function importNetwork(
  options: SimulatorOptions,
  blocks: number,
  observer?: LedgerObserver,
): Promise<{ readonly world: ImportWorld; readonly transactions: number }> {
  const { path: folder, remove } = await temporaryFolder()
  try {
    const { transactions } = await runSimulator({ folder, options, blocks, ...(observer && { observer }) })
    const world = new ImportWorld()
    await world.import(folder, { addressBook: readFileSync(join(folder, 'address-book.bin')), sidecarTypes })
    return { world, transactions }
  } finally {
    await remove()
  }
}
