import { LedgerError } from '#src/domain/errors.ts'
import { reopenLog } from '#src/importer/close-log.ts'
import { ImportRun } from '#src/importer/import-run.ts'
import { ImportSession } from '#src/importer/session.ts'
import {
  type ImporterOptions,
  type ImporterSettings,
  type ImportSummary,
  importerDefaults,
} from '#src/importer/settings.ts'

/**
 * Imports a network's record stream into the log: lists, verifies, decodes, appends, until the source or the end date is
 * reached (`once`, `endTime`) or the signal aborts; then it resolves to a summary. With `once` the first failure rejects.
 * Otherwise failures of the source or of files are logged and tried again, and only those of the log or store reject.
 */
export async function runImporter(options: ImporterOptions): Promise<ImportSummary> {
  const settings = completeSettings(options.settings)
  const { log, store, generation = 1 } = options
  const session = await ImportSession.open({ log, store, generation, settings })
  options.onOpen?.()
  const run = new ImportRun(options, settings, session)
  try {
    if (options.servesAs !== undefined) await reopenLog(session, { log, generation }, options.servesAs)
    await run.loop()
    await session.checkpoint()
    return run.summary()
  } finally {
    await session.close()
  }
}

function completeSettings(given: ImporterOptions['settings']): ImporterSettings {
  const settings: ImporterSettings = { ...importerDefaults, ...given }
  const { startTime, endTime } = settings
  if (startTime !== undefined && endTime !== undefined && startTime > endTime) {
    throw new LedgerError('config_invalid', `The start date (${startTime} ns) is after the end date (${endTime} ns)`, {
      startTime,
      endTime,
    })
  }
  return settings
}
