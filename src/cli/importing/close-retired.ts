import { relative } from 'node:path'
import type { DataFolder } from '#src/cli/data-folder.ts'
import type { Engines, Stores } from '#src/cli/engines.ts'
import { errorCatalogue, isLedgerError } from '#src/domain/errors.ts'
import { closeLog } from '#src/importer/close-log.ts'
import type { ImporterSettings } from '#src/importer/settings.ts'
import { isAnotherAtWork } from '#src/importer/standby.ts'
import type { Plan } from '#src/operations/plan.ts'
import type { Logger } from '#src/ports/logger.ts'

export interface CloseRetiredOptions {
  readonly plan: Plan
  readonly engines: Engines
  readonly stores: Stores
  readonly folder: Pick<DataFolder, 'path'>
  readonly settings: ImporterSettings
  readonly logger: Logger
}

/**
 * Lets every retired generation end with the event that names its successor. A retired log that cannot be read or written
 * for good is told and left: it must not keep the serving one from growing.
 */
export async function closeRetired(options: CloseRetiredOptions): Promise<void> {
  const { plan } = options
  const retired = Object.entries(plan.generations).filter(([, { state }]) => state === 'retired')
  for (const [generation] of retired) await closeOne(Number(generation), options)
}

async function closeOne(generation: number, options: CloseRetiredOptions): Promise<void> {
  const { plan, engines, stores, folder, settings, logger } = options
  const next = plan.generation
  const nextLog = publicLogName(engines, folder, next)
  const reason = plan.generations[next]?.reason ?? ''
  const log = await engines.openLog(generation, 'write')
  try {
    const session = { log, store: stores.readStore, generation, settings }
    const closed = await closeLog(session, { nextGeneration: next, nextLog, reason })
    if (closed) logger.info({ generation, nextGeneration: next }, 'log generation closed')
  } catch (error) {
    const mayPass = isLedgerError(error) && errorCatalogue[error.code].disposition === 'retry'
    if (mayPass || isAnotherAtWork(error)) throw error
    logger.error({ generation, err: error }, 'a retired log generation cannot be closed, leaving it as it is')
  } finally {
    await log.close()
  }
}

/** A topic, or a folder below the data folder: where that is on this machine is nothing that subscribers could use. */
function publicLogName(engines: Engines, { path }: Pick<DataFolder, 'path'>, generation: number): string {
  const name = engines.logName(generation)
  return name.startsWith(path) ? relative(path, name).replaceAll('\\', '/') : name
}
