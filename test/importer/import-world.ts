import { setTimeout as delay } from 'node:timers/promises'
import type { BlockNumbersShifted, BlockRecorded, TransactionRecorded } from '#schemas/events/types.ts'
import { openFolderSource } from '#src/adapters/folder/folder-source.ts'
import { openSqliteLog } from '#src/adapters/sqlite/message-log.ts'
import { openSqliteReadStore } from '#src/adapters/sqlite/read-store.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { decodeEvent } from '#src/events/codec.ts'
import { runImporter } from '#src/importer/importer.ts'
import type { BlockInput, ImporterSettings, ImportProgress, ImportSummary } from '#src/importer/settings.ts'
import { type Clock, systemClock } from '#src/ports/clock.ts'
import type { Logger } from '#src/ports/logger.ts'
import type { MessageLog, StoredRecord } from '#src/ports/message-log.ts'
import type { ReadStore } from '#src/ports/read-store.ts'
import type { StreamSource } from '#src/ports/stream-source.ts'

export interface LogLine {
  readonly level: string
  readonly fields: Record<string, unknown>
  readonly message: string
}

/** A log, a store and a recording logger in memory, into which folders are imported. */
export class ImportWorld {
  log: MessageLog = openSqliteLog({ folder: ':memory:' })
  store: ReadStore = openSqliteReadStore({ folder: ':memory:' })
  clock: Clock = systemClock
  /** Needed where blocks are read. */
  blockInput: BlockInput | undefined
  readonly lines: LogLine[] = []

  async import(
    source: string | StreamSource,
    settings: Partial<ImporterSettings> = {},
    signal?: AbortSignal,
    onProgress?: (progress: ImportProgress) => void,
  ): Promise<ImportSummary> {
    const opened = typeof source === 'string' ? openFolderSource({ folder: source }) : source
    try {
      return await runImporter({
        source: opened,
        blocks: this.blockInput,
        log: this.log,
        store: this.store,
        settings: { network: 'demo', once: true, ...settings },
        logger: this.#logger(),
        clock: this.clock,
        signal,
        onProgress,
      })
    } finally {
      await opened.close()
    }
  }

  /** The error that the import ends with. */
  async failure(source: string | StreamSource, settings: Partial<ImporterSettings> = {}): Promise<LedgerError> {
    const outcome = await this.import(source, settings).catch((error: unknown) => error)
    if (outcome instanceof LedgerError) return outcome
    throw outcome instanceof Error ? outcome : new Error(`the import did not fail: ${JSON.stringify(this.lines)}`)
  }

  async records(): Promise<StoredRecord[]> {
    const records: StoredRecord[] = []
    for await (const batch of this.log.read({ after: 0, countMax: 10_000, bytesMax: 1 << 26, follow: false })) {
      records.push(...batch.records)
    }
    return records
  }

  async blocks(): Promise<BlockRecorded[]> {
    return (await this.records()).flatMap((record) =>
      record.type === 'BlockRecorded' ? [decodeEvent({ ...record, type: 'BlockRecorded' })] : [],
    )
  }

  async shifts(): Promise<BlockNumbersShifted[]> {
    return (await this.records()).flatMap((record) =>
      record.type === 'BlockNumbersShifted' ? [decodeEvent({ ...record, type: 'BlockNumbersShifted' })] : [],
    )
  }

  async transactions(): Promise<TransactionRecorded[]> {
    return (await this.records()).flatMap((record) =>
      record.type === 'TransactionRecorded' ? [decodeEvent({ ...record, type: 'TransactionRecorded' })] : [],
    )
  }

  warnings(): string[] {
    return this.lines.filter(({ level }) => level === 'warn').map(({ fields }) => String(fields.err ?? ''))
  }

  #logger(): Logger {
    const at = (level: string) => (fields: object, message: string) => {
      this.lines.push({ level, fields: fields as Record<string, unknown>, message })
    }
    return { error: at('error'), warn: at('warn'), info: at('info'), debug: at('debug') }
  }
}

/** Looks until it holds; the test's own time limit ends a wait in vain. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await delay(5)
}
