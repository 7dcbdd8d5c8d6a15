import { ComparedLog } from '#src/importer/compare/compared-log.ts'
import { findFirstBlock } from '#src/importer/first-block.ts'
import { runImporter } from '#src/importer/importer.ts'
import { parseStreamFileName } from '#src/importer/record/file-name.ts'
import type { BlockInput, ImporterSettings } from '#src/importer/settings.ts'
import type { Clock } from '#src/ports/clock.ts'
import type { Logger } from '#src/ports/logger.ts'
import type { MessageLog, Position } from '#src/ports/message-log.ts'
import type { ReadStore } from '#src/ports/read-store.ts'
import type { StreamSource } from '#src/ports/stream-source.ts'

export interface CompareOptions {
  readonly log: MessageLog
  /** Last event to look at, which ends a block. */
  readonly through: Position
  /** Consensus time (ns) of the block that it ends. */
  readonly endTime: bigint
  /** Of record files. */
  readonly source: StreamSource
  /** Needed where the log has blocks of the block stream. */
  readonly blocks?: BlockInput | undefined
  /** As the log was written with, with the address book that it begins with. */
  readonly settings: ImporterSettings
  /** A store that is thrown away afterwards. */
  readonly scratch: ReadStore
  readonly clock: Clock
  readonly logger: Logger
  readonly signal?: AbortSignal | undefined
  /** Told how far it is. */
  readonly onProgress: (position: Position) => void
}

/**
 * Verifies the files of a source once more, from the log's first block to its last, and holds the events that they give
 * against those of the log. Resolves to the last event that is the same; the source ends there if it is before `through`.
 * Rejects with `log_differs` at the first that is not, and as the import does with files that do not hold.
 */
export async function compareWithSource(options: CompareOptions): Promise<Position> {
  const { log, through, endTime, source, blocks, scratch, clock, logger, signal, onProgress } = options
  const compared = new ComparedLog(log, through)
  const settings = { ...options.settings, ...(await beginningOf(log)), endTime, once: true }
  try {
    await runImporter({
      source,
      blocks,
      log: compared,
      store: scratch,
      settings,
      clock,
      logger,
      signal,
      onProgress: () => onProgress(compared.position),
    })
    return compared.position
  } finally {
    await compared.close()
  }
}

/** The log's first block is the first to be looked at, with the number that it was given. */
async function beginningOf(log: MessageLog): Promise<Partial<ImporterSettings>> {
  const first = await findFirstBlock(log)
  if (first === undefined) return { startTime: undefined, startBlockNumber: 0n }
  const instant = parseStreamFileName(first.name)?.instant
  if (instant === undefined) return { stream: 'blocks', startTime: undefined, startBlockNumber: first.number }
  return { startTime: instant - 1n, startBlockNumber: first.number }
}
