import { openFolderSource } from '#src/adapters/folder/folder-source.ts'
import { openSqliteReadStore } from '#src/adapters/sqlite/read-store.ts'
import { blockItem } from '#src/domain/block-items.ts'
import { readBlock } from '#src/importer/block/read-block.ts'
import type { ProofChecker } from '#src/importer/block-stream/prove-block.ts'
import { runImporter } from '#src/importer/importer.ts'
import { systemClock } from '#src/ports/clock.ts'
import { silentLogger } from '#src/ports/logger.ts'
import { type PackedBlock, readPackedBlocks, simulatedNetwork, supplyOf } from '#test/bench/blocks/packed-blocks.ts'
import { forgetfulLog } from '#test/bench/forgetful-log.ts'
import { networkFolder } from '#test/bench/generate.ts'
import type { StageOptions, StageResult } from '#test/bench/stages.ts'

/** Of the blocks so many are not counted: what they run is compiled meanwhile. */
const warmUpShare = 1 / 3

/** Every proof holds: what it costs is measured by itself. */
const trusting: ProofChecker = { check: async () => ({ form: 'schnorr', generation: 1 }) }

/** Packed blocks in memory to encoded events: the importer without sources, proofs and log. */
export async function blockEvents(options: StageOptions): Promise<StageResult> {
  const folder = networkFolder(options)
  const blocks = readPackedBlocks(folder)
  const warmUp = blocks.slice(0, Math.ceil(blocks.length * warmUpShare))
  const before = warmUp.reduce((sum, block) => sum + transactionsOf(block), 0)
  let [started, cpu] = [0, process.cpuUsage()]
  const supply = supplyOf(blocks, (number) => {
    if (number !== warmUp.length) return
    started = performance.now()
    cpu = process.cpuUsage()
  })
  const { transactions } = await runImporter({
    source: openFolderSource({ folder }),
    blocks: { supply, checker: trusting, ledger: undefined },
    log: forgetfulLog(),
    store: openSqliteReadStore({ folder: ':memory:' }),
    clock: systemClock,
    logger: silentLogger,
    settings: { network: simulatedNetwork, once: true, stream: 'blocks', sidecarTypes: new Set([1, 2, 3]) },
  })
  const seconds = (performance.now() - started) / 1_000
  const { user, system } = process.cpuUsage(cpu)
  return { count: transactions - before, seconds, cpuSeconds: (user + system) / 1e6 }
}

function transactionsOf(block: PackedBlock): number {
  const { items } = readBlock(block())
  let count = 0
  for (let index = 0; index < items.length; index++)
    if (items.numberAt(index) === blockItem.transactionResult) count += 1
  return count
}
