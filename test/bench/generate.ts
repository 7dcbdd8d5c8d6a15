import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '#src/ports/clock.ts'
import type { BlockSigner } from '#src/simulator/blocks/block-signer.ts'
import { runSimulator } from '#src/simulator/run.ts'
import { createSimulatedLedger } from '#src/simulator/tss/simulated-ledger.ts'
import type { StageOptions, StageResult } from '#test/bench/stages.ts'

const seed = 'bench'
const nodes = 4
const blockSeconds = 2

/** Where the files of the simulated network lie. */
export function networkFolder({ folder }: Pick<StageOptions, 'folder'>): string {
  return join(folder, 'network')
}

/** Goes on where the ledger in the folder ends, until it is as long as wanted. */
export async function generate(options: StageOptions): Promise<StageResult> {
  const started = performance.now()
  const before = generatedIn(options)
  let count = before
  if (count >= options.transactions) return { count: 0, seconds: (performance.now() - started) / 1_000 }
  const { mix = 'transfers', stream = 'records', accounts, blockTransactions } = options
  const stop = new AbortController()
  await runSimulator({
    folder: networkFolder(options),
    options: {
      seed,
      nodes,
      mix,
      stream,
      accounts,
      blockSeconds,
      transactionsPerSecond: blockTransactions / blockSeconds,
      dataCopies: 'one',
    },
    signer: stream === 'records' ? undefined : await signerOfBench(),
    paced: false,
    keepBlocks: 0,
    clock: systemClock,
    signal: stop.signal,
    onBlock: ({ transactionCount }) => {
      count += transactionCount
      if (count >= options.transactions) stop.abort()
    },
  })
  writeFileSync(generatedFile(options), String(count))
  return { count: count - before, seconds: (performance.now() - started) / 1_000 }
}

function signerOfBench(): Promise<BlockSigner> {
  return createSimulatedLedger({ seed, weights: Array.from({ length: nodes }, () => 1) })
}

/** Says how many transactions the ledger of a folder has. */
const generatedFile = (options: StageOptions): string => join(options.folder, 'generated-transactions')

function generatedIn(options: StageOptions): number {
  const file = generatedFile(options)
  return existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0
}
