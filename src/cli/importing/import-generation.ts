import { findAddressBook, noAddressBook } from '#src/cli/address-book.ts'
import type { Engines, Stores } from '#src/cli/engines.ts'
import type { ImportInputs } from '#src/cli/importing/import-inputs.ts'
import { importerSettings } from '#src/cli/importing/importer-settings.ts'
import { watchPlan } from '#src/cli/importing/plan-watch.ts'
import type { RoleSettings } from '#src/cli/roles/role.ts'
import { seenLogs } from '#src/cli/seen-log.ts'
import { isLedgerError } from '#src/domain/errors.ts'
import { runImporter } from '#src/importer/importer.ts'
import type { ImporterSettings, ImportProgress } from '#src/importer/settings.ts'
import type { Plan } from '#src/operations/plan.ts'
import { systemClock } from '#src/ports/clock.ts'
import type { Logger } from '#src/ports/logger.ts'

/** How often the plan is looked at. */
const planPollMs = 250

export interface GenerationImport {
  readonly engines: Engines
  readonly stores: Stores
  readonly inputs: Pick<ImportInputs, 'source' | 'blocks'>
  readonly settings: ImporterSettings
  /** What subscribers call the log, where it serves. */
  readonly servesAs?: string
  /** Of the log. */
  readonly generation: number
  /** The import into this generation is over when the plan is so. */
  readonly until: (plan: Plan) => boolean
  readonly logger: Logger
  readonly signal: AbortSignal
  readonly onOpen: () => void
  readonly onProgress: (progress: ImportProgress) => void
}

/**
 * Imports into one log generation until the source is used up, the plan says that this is over, or the signal aborts; in
 * that order: resolves to true when the plan did.
 */
export async function importGeneration(options: GenerationImport): Promise<boolean> {
  const { engines, stores, inputs, settings, servesAs, generation, until, logger, signal, onOpen, onProgress } = options
  const log = await seenLogs(engines, () => stores.controlStore)(generation, 'write')
  const watch = watchPlan(until, { control: stores.controlStore, logger, pollMs: planPollMs })
  try {
    await runImporter({
      source: inputs.source,
      blocks: inputs.blocks,
      log,
      store: stores.readStore,
      generation,
      servesAs,
      settings,
      logger,
      clock: systemClock,
      signal: AbortSignal.any([signal, watch.signal]),
      onOpen,
      onProgress,
    })
  } finally {
    await watch.stop()
    await log.close()
  }
  return watch.signal.aborted
}

export interface SettingsInput extends Pick<RoleSettings, 'config' | 'folder'> {
  /** The data folder's unless given. */
  readonly network?: string | null
}

/** Settings of the importer, with an address book to begin a fresh log with where one is to be found. */
export function settingsOf({ config, folder, network = folder.marker.network }: SettingsInput): ImporterSettings {
  if (network === null) throw new Error('an import needs the name of its network')
  return importerSettings(config, network, findAddressBook({ config, folder }))
}

/** The same failure, with what a person can do about it where a log cannot be begun without an address book. */
export function explained(error: unknown, { network, addressBook }: ImporterSettings): unknown {
  return isLedgerError(error, 'address_book_invalid') && addressBook === undefined
    ? noAddressBook(network, error)
    : error
}
