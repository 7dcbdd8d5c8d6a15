import { openSqliteLog } from '#src/adapters/sqlite/message-log.ts'
import { Crew } from '#src/cli/crew.ts'
import { type DataFolder, openDataFolder } from '#src/cli/data-folder.ts'
import { networkNameOf } from '#src/cli/network-name.ts'
import { assertPortIsFree } from '#src/cli/port.ts'
import { showStatus } from '#src/cli/show-status.ts'
import { formatBanner, formatSummary } from '#src/cli/start-texts.ts'
import type { Terminal } from '#src/cli/terminal.ts'
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

/** Everything in one process: simulated network (where it is the source), importer, projections and API. */
export async function startAll({ config, terminal, logger, signal }: StartOptions): Promise<void> {
  const startedMs = performance.now()
  assertEnds(config)
  const serves = !config.once
  if (serves && config.port !== 0) await assertPortIsFree(config.host, config.port)
  const folder = await openFolderAlone(config)
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
    const stopped = waitForAbort(signal)
    await Promise.race([startCrew(crew, config, serves), stopped])
    if (serves && !signal.aborted) terminal.print(formatBanner({ config, folder, url: url ?? '' }))
    await Promise.race([serves ? crew.failed : runOnce(crew), stopped])
  } finally {
    stopShowing()
    await crew.stop()
  }
  if (config.once && !signal.aborted)
    terminal.print(formatSummary({ board, folder, seconds: (performance.now() - startedMs) / 1_000 }))
}

function assertEnds({ once, source }: Config): void {
  if (!once || source.location !== 'simulated') return
  throw new LedgerError(
    'config_invalid',
    '--once needs a source that ends, but the simulated network never does; name a folder or bucket with --source',
  )
}

/** The data folder, once it is certain that no other process writes to its log. */
async function openFolderAlone(config: Config): Promise<DataFolder> {
  const folder = openDataFolder(config.data, networkNameOf(config))
  const log = openSqliteLog({ folder: folder.log })
  try {
    const writer = await log.openWriter()
    await writer.close()
  } finally {
    await log.close()
  }
  return folder
}

/** The simulated network first, since the import begins with its address book; then all others at once. */
async function startCrew(crew: Crew, config: Config, serves: boolean): Promise<void> {
  if (config.source.location === 'simulated') await crew.start('simulate')
  await Promise.all(
    (['import', 'project', 'serve'] as const)
      .filter((role) => serves || role !== 'serve')
      .map((role) => crew.start(role)),
  )
}

/** Until the source is used up and every read model has seen all of it. */
async function runOnce(crew: Crew): Promise<void> {
  await crew.ended('import')
  await crew.finish('project')
}

function waitForAbort(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
