import type { DatabaseSync } from 'node:sqlite'
import { openDatabase } from '#src/adapters/sqlite/database.ts'
import { LedgerError } from '#src/domain/errors.ts'
import type { LogHead } from '#src/ports/message-log.ts'

/** Opens the log's file; what it needs is created by whoever comes first, so that a mere reader takes no write lock. */
export function openLogDatabase(file: string): DatabaseSync {
  const database = openDatabase(
    { file, synchronous: 'FULL', pageBytes: 16_384, cacheBytes: 4 << 20, walPages: 2_000 },
    'log_unavailable',
  )
  const exists = database.prepare(`SELECT 1 FROM sqlite_master WHERE name = 'writer'`).get()
  if (!exists) {
    database.exec(`
      BEGIN IMMEDIATE;
      CREATE TABLE IF NOT EXISTS chunk (
        last_sequence INTEGER PRIMARY KEY, first_sequence INTEGER NOT NULL, last_time INTEGER NOT NULL, data BLOB NOT NULL
      );
      CREATE TABLE IF NOT EXISTS writer (id INTEGER PRIMARY KEY CHECK (id = 1), epoch INTEGER NOT NULL);
      INSERT OR IGNORE INTO writer VALUES (1, 0);
      COMMIT;
    `)
  }
  return database
}

export function createHeadReader(database: DatabaseSync): () => LogHead {
  const statement = database.prepare(
    'SELECT last_sequence AS sequence, last_time AS time FROM chunk ORDER BY last_sequence DESC LIMIT 1',
  )
  statement.setReadBigInts(true)
  return () => {
    const row = statement.get() as { sequence: bigint; time: bigint } | undefined
    return row ? { sequence: Number(row.sequence), time: row.time } : { sequence: 0, time: undefined }
  }
}

export function writerBusy(file: string, cause?: unknown): LedgerError {
  return new LedgerError(
    'log_writer_busy',
    `Another importer is writing to the log ${file}; stop it, or start with another data folder`,
    { file },
    cause,
  )
}
