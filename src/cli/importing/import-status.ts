import type { ImportFigures } from '#src/cli/import-figures.ts'
import {
  generationState,
  generationsOf,
  type ImportDeployment,
  lastKnownFigures,
  lossOf,
} from '#src/cli/importing/import-deployment.ts'
import { formatLedgerTime } from '#src/domain/ledger-time.ts'
import type { BlockNodePresence, ImportPresence, StreamPresence } from '#src/operations/import-presence.ts'
import type { GenerationPlan, Plan } from '#src/operations/plan.ts'
import { readPlan } from '#src/operations/plan-store.ts'
import { type PresentProcess, readPresence } from '#src/operations/presence.ts'

/** Exact also where a double is not: files may carry any 64-bit number. */
type BlockNumber = bigint

export interface GenerationReport {
  readonly generation: number
  readonly state: GenerationPlan['state']
  /** Its topic or folder. */
  readonly log: string
  readonly events: number
  readonly latestBlock: BlockNumber | null
  readonly reason: string | null
}

export interface ImporterReport {
  readonly host: string
  readonly pid: number
  readonly codeVersion: string
  readonly state: 'importing' | 'standby' | 'gone'
  readonly generation: number
  readonly problem: string | null
  /** What it reads, where from, since when, why, and what it waits for; null where it does not say. */
  readonly stream: StreamPresence | null
  readonly blockNodes: readonly BlockNodePresence[]
}

/** How far the serving log reaches, which generations there are, and who imports. */
export interface ImportStatusReport {
  readonly network: string | null
  readonly events: number
  readonly latestConsensusTimestamp: string | null
  /** Wall clock since then; null in an empty log. */
  readonly lagSeconds: number | null
  readonly latestBlock: BlockNumber | null
  readonly latestBlockProvisional: boolean
  /** Where the import stands in the source: the last file that is on the log. */
  readonly latestFile: string | null
  readonly blocks: number
  readonly transactions: number
  /** Places where a block does not continue the one before, and blocks missing there. */
  readonly gaps: number
  readonly gapBlocks: number
  readonly generations: readonly GenerationReport[]
  readonly processes: readonly ImporterReport[]
  /** What the serving log lacks of what was seen of it; null when it is whole, as far as its end tells. */
  readonly problem: string | null
}

export async function readImportStatus(deployment: ImportDeployment): Promise<ImportStatusReport> {
  const { stores, folder } = deployment
  const plan = await readPlan(stores.controlStore)
  const figures = await lastKnownFigures(deployment, plan.generation)
  const { position, time, lastBlock, blocks, transactions, breaks, gapBlocks } = figures
  return {
    network: figures.network ?? folder.marker.network,
    events: position,
    // 0 before the first block.
    latestConsensusTimestamp: time ? formatLedgerTime(time) : null,
    lagSeconds: lastBlock === undefined ? null : lagSecondsOf(lastBlock.time),
    latestBlock: blockNumber(figures),
    latestBlockProvisional: lastBlock?.numberProvisional ?? false,
    latestFile: lastBlock?.name ?? null,
    blocks: Number(blocks),
    transactions: Number(transactions),
    gaps: Number(breaks),
    gapBlocks: Number(gapBlocks),
    generations: await readGenerations(deployment, plan, figures),
    processes: await readImporters(deployment),
    problem: (await lossOf(deployment, plan.generation))?.message ?? null,
  }
}

async function readGenerations(
  deployment: ImportDeployment,
  plan: Plan,
  serving: ImportFigures,
): Promise<GenerationReport[]> {
  const reports: GenerationReport[] = []
  for (const generation of generationsOf(plan)) {
    const isServing = generation === plan.generation
    const figures = isServing ? serving : await lastKnownFigures(deployment, generation)
    reports.push({
      generation,
      state: generationState(plan, generation),
      log: deployment.engines.logName(generation),
      events: figures.position,
      latestBlock: blockNumber(figures),
      reason: plan.generations[generation]?.reason ?? null,
    })
  }
  return reports
}

/** Those that import into any generation, or stand by. */
async function readImporters({ stores }: ImportDeployment): Promise<ImporterReport[]> {
  const processes = await readPresence(stores.controlStore, Date.now())
  return processes.flatMap(({ imports, ...process }) =>
    imports === undefined ? [] : [importerReport(process, imports)],
  )
}

function importerReport(
  { host, pid, codeVersion, alive }: Omit<PresentProcess, 'imports'>,
  { standby, generation, problem, stream, blockNodes = [] }: ImportPresence,
): ImporterReport {
  const state = !alive ? 'gone' : standby === true ? 'standby' : 'importing'
  const shown = { problem: problem ?? null, stream: stream ?? null, blockNodes }
  return { host, pid, codeVersion, state, generation, ...shown }
}

function blockNumber({ lastBlock }: ImportFigures): BlockNumber | null {
  return lastBlock?.number ?? null
}

function lagSecondsOf(time: bigint): number {
  return Math.max(0, Math.round((Date.now() - Number(time / 1_000_000n)) / 100) / 10)
}
