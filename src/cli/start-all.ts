import { openSqliteLog } from '#src/adapters/sqlite/message-log.ts'
import { Crew } from '#src/cli/crew.ts'
import { claimDataFolder, type DataFolder } from '#src/cli/data-folder.ts'
import { readImportFigures } from '#src/cli/import-figures.ts'
import { networkNameOf } from '#src/cli/network-name.ts'
import { assertPortIsFree } from '#src/cli/port.ts'
import { showStatus } from '#src/cli/show-status.ts'
import { formatBanner, formatSummary } from '#src/cli/start-texts.ts'
import type { Terminal } from '#src/cli/terminal.ts'
import { untilAborted } from '#src/cli/until-aborted.ts'
import type { Config } from '#src/config/schema.ts'
import { LedgerError } from '#src/domain/errors.ts'
import type { Logger } from '#src/ports/logger.ts'
import { StatusBoard } from '#src/runtime/status.ts'

export interface StartOptions {
  readonly config: Config
  readonly terminal: Terminal
  readonly logger: Logger
  /** Stop in order. */
  readonly signal: AbortSignal
}

/**
 * Everything in one process: simulated network (where it is the source), importer, projections and API. Keeps every other
 * process of this kind out of the data folder from before the first role starts until after the last one ended.
 */
export async function startAll(options: StartOptions): Promise<void> {
  const { config } = options
  assertEnds(config)
  if (!config.once && config.port !== 0) await assertPortIsFree(config.host, config.port)
  const { folder, lock } = claimDataFolder(config.data, networkNameOf(config))
  try {
    await assertNobodyImports(folder)
    await runAll(options, folder)
  } finally {
    lock.release()
  }
}

async function runAll({ config, terminal, logger, signal }: StartOptions, folder: DataFolder): Promise<void> {
  const startedMs = performance.now()
  const board = new StatusBoard(() => performance.now())
  let url: string | undefined
  const crew = new Crew({
    settings: { config, folder },
    logger,
    onLog: (line) => terminal.log(line),
    onReport: (report) => {
      if (report.kind === 'import') board.setImport(report.status)
      else if (report.kind === 'projections') board.setProjections(report.projections)
      else if (report.url !== undefined) url = report.url
    },
  })
  const stopShowing = showStatus(board, terminal, logger)
  try {
    const stopped = untilAborted(signal)
    await Promise.race([startCrew(crew, config, signal), stopped])
    if (!config.once && !signal.aborted) terminal.print(formatBanner({ config, folder, url: url ?? '' }))
    await Promise.race([config.once ? runOnce(crew) : crew.failed, stopped])
  } finally {
    stopShowing()
    await crew.stop()
  }
  if (!config.once || signal.aborted) return
  const seconds = (performance.now() - startedMs) / 1_000
  const { lastBlock } = await readImportFigures(folder)
  terminal.print(formatSummary({ board, lastBlock, folder, seconds }))
}

function assertEnds({ once, source }: Config): void {
  if (!once || source.location !== 'simulated') return
  throw new LedgerError(
    'config_invalid',
    '--once needs a source that ends, but the simulated network never does; name a folder or bucket with --source',
  )
}

/** An importer of its own process may work in the folder, too; the log lets only one of them write. */
async function assertNobodyImports(folder: DataFolder): Promise<void> {
  const log = openSqliteLog({ folder: folder.log })
  try {
    const writer = await log.openWriter()
    await writer.close()
  } finally {
    await log.close()
  }
}

/** The simulated network first, since the import begins with its address book; then all others at once. */
async function startCrew(crew: Crew, { source, once }: Config, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  if (source.location === 'simulated') await crew.start('simulate')
  if (signal.aborted) return
  await Promise.all(
    (['import', 'project', 'serve'] as const)
      .filter((role) => !once || role !== 'serve')
      .map((role) => crew.start(role)),
  )
}

/** Until the source is used up and every read model has seen all of it. */
async function runOnce(crew: Crew): Promise<void> {
  await crew.ended('import')
  await crew.finish('project')
}
