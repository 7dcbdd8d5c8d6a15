import type { DatabaseSync } from 'node:sqlite'
import { openDatabase } from '#src/adapters/sqlite/database.ts'
import { LedgerError } from '#src/domain/errors.ts'
import type { LogHead } from '#src/ports/message-log.ts'

export function openLogDatabase(file: string): DatabaseSync {
  return openDatabase(
    { file, synchronous: 'FULL', pageBytes: 16_384, cacheBytes: 4 << 20, walPages: 2_000 },
    'log_unavailable',
  )
}

export function readHead(database: DatabaseSync): LogHead {
  const statement = database.prepare(
    'SELECT last_sequence AS sequence, last_time AS time FROM chunk ORDER BY last_sequence DESC LIMIT 1',
  )
  statement.setReadBigInts(true)
  const row = statement.get() as { sequence: bigint; time: bigint } | undefined
  return row ? { sequence: Number(row.sequence), time: row.time } : { sequence: 0, time: undefined }
}

export function writerBusy(file: string, cause?: unknown): LedgerError {
  return new LedgerError(
    'log_writer_busy',
    `Another importer is writing to the log ${file}; stop it, or start with another data folder`,
    { file },
    cause,
  )
}
