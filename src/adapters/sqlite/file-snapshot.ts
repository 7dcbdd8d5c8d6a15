import { backup, DatabaseSync } from 'node:sqlite'
import { openDatabase, translated } from '#src/adapters/sqlite/database.ts'
import type { ErrorCode } from '#src/domain/errors.ts'

/** Pages that are copied between two looks at what else is to be done. */
const pagesAtOnce = 2_000

/** What a database held at one moment, whoever goes on writing to it. */
export interface FileSnapshot {
  /** Stands at that moment until the snapshot is closed; meanwhile what is written waits in the write-ahead log. */
  readonly database: DatabaseSync
  /** Writes all of it to a new file, page by page, which needs no other file beside it. */
  copyTo(file: string): Promise<void>
  close(): void
}

export function openFileSnapshot(file: string, unavailable: ErrorCode): FileSnapshot {
  const database = openDatabase({ file, readOnly: true, cacheBytes: 4 << 20 }, unavailable)
  try {
    // A transaction sees what was committed when it first reads.
    translated(file, unavailable, () => {
      database.exec('BEGIN')
      database.prepare('SELECT count(*) FROM sqlite_master').get()
    })
  } catch (error) {
    database.close()
    throw error
  }
  return {
    database,
    copyTo: async (target) => {
      try {
        await backup(database, target, { rate: pagesAtOnce })
      } catch (error) {
        translated(file, unavailable, () => {
          throw error
        })
      }
      makeSingle(target, unavailable)
    },
    close: () => {
      if (database.isOpen) database.close()
    },
  }
}

/** Without a write-ahead log it can be read from a disk that nobody may write to, and moved as one file. */
export function makeSingle(file: string, unavailable: ErrorCode): void {
  withJournal(file, 'DELETE', unavailable)
}

/** As whoever opens it for writing would have it. */
export function makeWritable(file: string, unavailable: ErrorCode): void {
  withJournal(file, 'WAL', unavailable)
}

function withJournal(file: string, mode: 'DELETE' | 'WAL', unavailable: ErrorCode): void {
  translated(file, unavailable, () => {
    const database = new DatabaseSync(file)
    try {
      database.exec(`PRAGMA synchronous = FULL; PRAGMA journal_mode = ${mode}`)
    } finally {
      database.close()
    }
  })
}

/** Whether pages and indexes of a file agree; what is wrong where they do not. */
export function faultOf(file: string, unavailable: ErrorCode): string | undefined {
  const database = openDatabase({ file, readOnly: true }, unavailable)
  try {
    const [found] = translated(file, unavailable, () => database.prepare('PRAGMA integrity_check(1)').all())
    const said = String(found?.['integrity_check'])
    return said === 'ok' ? undefined : said.replaceAll('\n', ', ')
  } finally {
    database.close()
  }
}
