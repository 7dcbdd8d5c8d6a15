import type { DatabaseSync } from 'node:sqlite'
import { inTransaction, openDatabase, translated } from '#src/adapters/sqlite/database.ts'
import { logDamaged } from '#src/adapters/sqlite/log-damage.ts'
import { insertLabel, type LabelRow, labelColumns, labelOf, labelTable } from '#src/adapters/sqlite/log-label.ts'
import { LedgerError } from '#src/domain/errors.ts'
import type { LogHead } from '#src/ports/message-log.ts'

/** Opens the log's file; what it needs is created by whoever comes first, so that a mere reader takes no write lock. */
export function openLogDatabase(file: string): DatabaseSync {
  const database = openDatabase(
    { file, synchronous: 'FULL', pageBytes: 16_384, cacheBytes: 4 << 20, walPages: 2_000 },
    'log_unavailable',
  )
  try {
    translated(file, 'log_unavailable', () => createTables(file, database))
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

function createTables(file: string, database: DatabaseSync): void {
  if (hasTable(database, 'label')) {
    assertTables(file, database)
    return
  }
  inTransaction(database, () => {
    // Somebody else may have been faster.
    if (hasTable(database, 'label')) return
    const uncheckedThrough = hasTable(database, 'chunk') ? addChecksums(file, database) : createChunks(database)
    database.exec(`
      CREATE TABLE IF NOT EXISTS writer (id INTEGER PRIMARY KEY CHECK (id = 1), epoch INTEGER NOT NULL);
      INSERT OR IGNORE INTO writer VALUES (1, 0);
      ${labelTable};
    `)
    insertLabel(database, uncheckedThrough)
  })
}

function hasTable(database: DatabaseSync, name: string): boolean {
  return database.prepare('SELECT 1 FROM sqlite_master WHERE name = ?').get(name) !== undefined
}

function assertTables(file: string, database: DatabaseSync): void {
  for (const name of ['chunk', 'writer']) {
    if (!hasTable(database, name)) throw logDamaged(file, `its table ${name} has gone`)
  }
}

function createChunks(database: DatabaseSync): number {
  database.exec(`
    CREATE TABLE chunk (
      last_sequence INTEGER PRIMARY KEY, first_sequence INTEGER NOT NULL, last_time INTEGER NOT NULL,
      checksum BLOB NOT NULL, data BLOB NOT NULL
    );
  `)
  return 0
}

/**
 * A log of an earlier version: what it holds stays readable without checksums, what comes from now on has them. The earlier
 * version must not append to it any more, which it would do without.
 */
function addChecksums(file: string, database: DatabaseSync): number {
  const hasChecksums = database.prepare(`SELECT 1 FROM pragma_table_info('chunk') WHERE name = 'checksum'`).get()
  if (hasChecksums) throw logDamaged(file, 'the table that tells which log it is has gone')
  database.exec(`
    ALTER TABLE chunk ADD COLUMN checksum BLOB;
    CREATE TRIGGER only_with_checksum BEFORE INSERT ON chunk WHEN NEW.checksum IS NULL
      BEGIN SELECT RAISE(ABORT, 'a newer version of the importer has written to this log'); END;
  `)
  const { last } = database.prepare('SELECT ifnull(max(last_sequence), 0) AS last FROM chunk').get() as { last: number }
  return last
}

interface HeadRow extends LabelRow {
  readonly sequence: bigint | null
  readonly time: bigint | null
}

/** Throws `log_damaged` where chunks and label do not agree on the end. One statement: it sees both of one moment. */
export function createHeadReader(file: string, database: DatabaseSync): () => LogHead {
  const statement = database.prepare(
    `SELECT ${labelColumns}, last_sequence AS sequence, last_time AS time
     FROM label LEFT JOIN (SELECT last_sequence, last_time FROM chunk ORDER BY last_sequence DESC LIMIT 1)`,
  )
  statement.setReadBigInts(true)
  return () => {
    const row = statement.get() as HeadRow | undefined
    const { last } = labelOf(file, row)
    const [sequence, time] = [Number(row?.sequence ?? 0), row?.time ?? undefined]
    if (time !== undefined && typeof time !== 'bigint') throw logDamaged(file, 'its last chunk has no time')
    if (sequence < last)
      throw logDamaged(file, `it ends with event ${sequence}, but ${last} were written`, { first: sequence + 1, last })
    if (sequence > last) throw logDamaged(file, `a chunk ends with event ${sequence}, but only ${last} were written`)
    return { sequence, time }
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
