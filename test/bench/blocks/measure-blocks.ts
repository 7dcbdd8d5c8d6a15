import { join } from 'node:path'
import { type BlockLatency, measureBlockLatency } from '#test/bench/blocks/live.ts'
import type { LargeBlock } from '#test/bench/blocks/memory.ts'
import type { ProofOptions } from '#test/bench/blocks/proofs.ts'
import { type Report, rateOf } from '#test/bench/run-stage.ts'
import type { StageName, StageOptions } from '#test/bench/stages.ts'

/** A figure beside what is asked of it. */
export interface Budget {
  readonly what: string
  readonly reached: number
  readonly asked: number
}

export interface BlockFigures {
  readonly reports: readonly Report[]
  readonly latency: BlockLatency
  readonly budgets: readonly Budget[]
}

export interface MeasureBlocksOptions {
  readonly ledger: StageOptions
  /** Runs a stage and prints what it reports. */
  readonly run: (label: string, stage: StageName, extra: Partial<StageOptions>) => Promise<Report>
}

/** Enough for a steady rate. */
const transactionsMax = 120_000
const blocksProved = { fast: 600, reference: 120 } as const
const libraries = ['fast', 'reference'] as const
const signers = ['known', 'new'] as const
const largeBlocks = [
  { of: 'payments', transactions: 47_500, messageMiB: 36, blockMiB: 36 },
  { of: 'deployments', transactions: 35_000, messageMiB: 256, blockMiB: 256 },
] as const satisfies readonly LargeBlock[]
const asked = { events: 25_000, fast: 60, reference: 15, usualMs: 80, newKeyMs: 500, mebibytes: [512, 1_536] } as const

/** Blocks: to events, their proofs, the largest, those above the limit, and how soon they are shown. */
export async function measureBlocks({ ledger, run }: MeasureBlocksOptions): Promise<BlockFigures> {
  const folder = join(ledger.folder, 'blocks')
  const transactions = Math.min(ledger.transactions, transactionsMax)
  const blocks = { folder, stream: 'blocks', transactions } as const
  await run('generate blocks', 'generate', blocks)
  const events = await run('blocks: items to events', 'block-events', blocks)
  const proofs = new Map<string, Report>()
  for (const pairings of libraries)
    for (const by of signers) {
      const options: ProofOptions = { pairings, signers: by, blocks: blocksProved[pairings] }
      const label = `blocks: proofs, ${pairings}, ${by}`
      proofs.set(`${pairings} ${by}`, await run(label, 'block-proofs', { folder, proofs: options }))
    }
  const large: Report[] = []
  for (const block of largeBlocks)
    large.push(await run(`blocks: one of ${block.blockMiB} MiB`, 'block-memory', { folder, large: block }))
  const refusals = await run('blocks: refused, too large', 'block-refusals', { folder })
  const latency = await measureBlockLatency(folder)
  const rate = (name: string): number => rateOf(proofs.get(name)!)
  const isEqual = (by: string): boolean => proofs.get(`fast ${by}`)!.digest === proofs.get(`reference ${by}`)!.digest
  return {
    reports: [events, ...proofs.values(), ...large, refusals],
    latency,
    budgets: [
      { what: 'items to events, tx/s of one core', reached: events.count / events.cpuSeconds, asked: asked.events },
      { what: 'proofs, blocks/s', reached: rate('fast known'), asked: asked.fast },
      { what: 'the same, other signers each', reached: rate('fast new'), asked: asked.fast },
      { what: 'proofs by the fallback, blocks/s', reached: rate('reference known'), asked: asked.reference },
      { what: 'the same, other signers each', reached: rate('reference new'), asked: asked.reference },
      { what: 'runs with equal verdicts of both', reached: signers.filter(isEqual).length, asked: signers.length },
      { what: 'last byte to answer, ms (median)', reached: latency.usual.medianMs, asked: asked.usualMs },
      { what: 'the same on a new key (worst)', reached: latency.newKey.maxMs, asked: asked.newKeyMs },
      ...large.map(({ peakMiB }, at) => ({
        what: `peak MiB, blocks of ${largeBlocks[at]!.blockMiB} MiB`,
        reached: peakMiB,
        asked: asked.mebibytes[at]!,
      })),
    ],
  }
}
