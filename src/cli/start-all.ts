import { claimDataFolder, type DataFolder, folderOf, usesNoDataFolder } from '#src/cli/data-folder.ts'
import { type Engines, enginesOf } from '#src/cli/engines.ts'
import { type ImportFigures, readImportFigures } from '#src/cli/import-figures.ts'
import { streamOf } from '#src/cli/importing/stream-choice.ts'
import { type LaneOptions, startLanes } from '#src/cli/lanes.ts'
import { networkNameOf } from '#src/cli/network-name.ts'
import { RolePool } from '#src/cli/role-pool.ts'
import { heapsFor } from '#src/cli/roles/role.ts'
import { startServing, threadsToServe } from '#src/cli/serving-threads.ts'
import { showStatus } from '#src/cli/show-status.ts'
import { formatBanner, formatImported, formatSummary } from '#src/cli/start-texts.ts'
import type { Terminal } from '#src/cli/terminal.ts'
import { untilAborted } from '#src/cli/until-aborted.ts'
import type { Config } from '#src/config/schema.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { readPlan } from '#src/operations/plan-store.ts'
import type { Logger } from '#src/ports/logger.ts'
import { StatusBoard } from '#src/runtime/watch/status.ts'

export interface StartOptions {
  readonly config: Config
  readonly terminal: Terminal
  readonly logger: Logger
  /** Stop in order. */
  readonly signal: AbortSignal
  /** What programs are told of it (`--json`). */
  readonly outcome: Record<string, unknown>
  /** A command to run next in this deployment, as a person would type it. */
  readonly next: (verb: string) => string
}

/**
 * Everything in one process: simulated network (where it is the source), importer, projections and API. Keeps every other
 * process of this kind out of the data folder from before the first role starts until after the last one ended.
 */
export async function startAll(options: StartOptions): Promise<void> {
  const { config } = options
  assertEnds(config)
  // All else that runs here has a thread of its own already.
  const servingThreads = config.once ? 0 : await threadsToServe(config, options.logger, 1)
  const network = networkNameOf(config)
  if (usesNoDataFolder(config) && config.source.location !== 'simulated') {
    return runAll(options, folderOf(config, network, 'create'), servingThreads)
  }
  const { folder, lock } = claimDataFolder(config.data, network)
  try {
    await assertNobodyImports(options, folder)
    await runAll(options, folder, servingThreads)
  } finally {
    lock.release()
  }
}

async function runAll(
  { config, terminal, logger, signal, next, outcome }: StartOptions,
  folder: DataFolder,
  servingThreads: number,
): Promise<void> {
  const startedMs = performance.now()
  const board = new StatusBoard(() => performance.now())
  let url: string | undefined
  let lanes: readonly string[] = []
  const pool = new RolePool({
    settings: { config, folder },
    heaps: heapsFor(streamOf(config, networkNameOf(config)), config.blocks.blockMaxMiB),
    logger,
    onLog: (line) => terminal.log(line),
    onReport: (report, thread) => {
      if (report.kind === 'import') board.setImport(report.status)
      else if (report.kind === 'projections') board.setProjections(report.projections, thread)
      else if (report.url !== undefined) url = report.url
    },
  })
  const stopShowing = showStatus(board, terminal, logger)
  try {
    const stopped = untilAborted(signal)
    await Promise.race([
      startPool(pool, { config, folder, logger }, servingThreads, signal).then((threads) => (lanes = threads)),
      stopped,
    ])
    if (!config.once && !signal.aborted) {
      Object.assign(outcome, { url: url ?? null, network: folder.marker.network })
      terminal.print(formatBanner({ config, folder, url: url ?? '' }))
    }
    await Promise.race([config.once ? runOnce(pool, lanes) : pool.failed, stopped])
  } catch (error) {
    // What came before it is on the log, and may not be folded yet.
    if (config.once && board.import?.blocks)
      terminal.print(`${formatImported(board)} before it failed; next: ${next('project --once')}`)
    throw error
  } finally {
    stopShowing()
    await pool.stop()
  }
  if (!config.once || signal.aborted) return
  const seconds = (performance.now() - startedMs) / 1_000
  const { lastBlock } = await readServingFigures(enginesOf(config, folder, logger))
  const { blocks = 0, transactions = 0 } = board.import ?? {}
  Object.assign(outcome, { blocks, transactions, lastBlock: lastBlock?.number ?? null, seconds })
  terminal.print(formatSummary({ board, lastBlock, folder, seconds }))
}

function assertEnds({ once, source }: Config): void {
  if (!once || source.location !== 'simulated') return
  throw new LedgerError(
    'config_invalid',
    '--once needs a source that ends, but the simulated network never does; name a folder or bucket with --source',
  )
}

/**
 * An importer of its own process may work in the folder, too; the log lets only one of them write. A log elsewhere is not
 * asked: opening it for writing would take it away from an importer that is at work, and ours stands by for that one.
 */
async function assertNobodyImports({ config, logger }: StartOptions, folder: DataFolder): Promise<void> {
  if (config.engine.log !== 'embedded') return
  const engines = enginesOf(config, folder, logger)
  const log = await engines.openLog(await servingGeneration(engines))
  try {
    const writer = await log.openWriter()
    await writer.close()
  } finally {
    await log.close()
  }
}

async function servingGeneration(engines: Engines): Promise<number> {
  const stores = await engines.openStores()
  try {
    return (await readPlan(stores.controlStore)).generation
  } finally {
    await stores.close()
  }
}

async function readServingFigures(engines: Engines): Promise<ImportFigures> {
  const stores = await engines.openStores()
  try {
    const { generation } = await readPlan(stores.controlStore)
    const log = await engines.openLog(generation)
    try {
      return await readImportFigures({ log, store: stores.readStore, generation })
    } finally {
      await log.close()
    }
  } finally {
    await stores.close()
  }
}

/**
 * The simulated network first, since the import begins with its address book; then all others at once. Returns the names of
 * the projectors' threads.
 */
async function startPool(
  pool: RolePool,
  options: Pick<LaneOptions, 'config' | 'folder' | 'logger'>,
  servingThreads: number,
  signal: AbortSignal,
): Promise<string[]> {
  const { config, logger } = options
  const isSimulated = config.source.location === 'simulated'
  if (signal.aborted) return []
  if (isSimulated) await pool.start('simulate')
  if (signal.aborted) return []
  if (isSimulated) logger.info({}, 'the simulated network runs')
  const [lanes] = await Promise.all([
    startLanes(pool, options),
    pool.start('import', { isWhole: true }).then((ready) => {
      if (ready !== undefined) logger.info({}, 'the import is at work')
    }),
    servingThreads === 0 ? undefined : startServing(pool, { config, threads: servingThreads, isWhole: true }),
  ])
  return lanes
}

/** Until the source is used up and every read model has seen all of it. */
async function runOnce(pool: RolePool, lanes: readonly string[]): Promise<void> {
  await pool.ended('import')
  await Promise.all(lanes.map((lane) => pool.finish(lane)))
}
