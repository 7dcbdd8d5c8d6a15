import { join } from 'node:path'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { inTransaction, openDatabase, translated } from '#src/adapters/sqlite/database.ts'
import type { ControlDocument, ControlStore } from '#src/ports/control-store.ts'

export interface SqliteControlStoreOptions {
  /** Folder that holds `control.sqlite`; ':memory:' keeps the documents in this object, for tests. */
  readonly folder: string
}

/** The embedded control store: one small SQLite file that all processes on a machine share. */
export function openSqliteControlStore(options: SqliteControlStoreOptions): ControlStore {
  return new SqliteControlStore(options)
}

class SqliteControlStore implements ControlStore {
  readonly #file: string
  readonly #database: DatabaseSync
  readonly #get: StatementSync
  readonly #list: StatementSync
  readonly #insert: StatementSync
  readonly #update: StatementSync
  readonly #remove: StatementSync

  constructor({ folder }: SqliteControlStoreOptions) {
    this.#file = folder === ':memory:' ? folder : join(folder, 'control.sqlite')
    const database = openControlDatabase(this.#file)
    this.#database = database
    const fields = 'SELECT name, revision, text FROM document'
    this.#get = database.prepare(`${fields} WHERE name = ?`)
    // Not LIKE, whose wildcards may occur in names.
    this.#list = database.prepare(`${fields} WHERE name >= ? AND substr(name, 1, length(?)) = ? ORDER BY name`)
    this.#insert = database.prepare('INSERT OR IGNORE INTO document VALUES (?, 1, ?)')
    this.#update = database.prepare(
      'UPDATE document SET revision = revision + 1, text = ? WHERE name = ? AND revision = ?',
    )
    this.#remove = database.prepare('DELETE FROM document WHERE name = ?')
  }

  // What the statements select is named as the document's members are.
  async get(name: string): Promise<ControlDocument | undefined> {
    return this.#translated(() => this.#get.get(name) as unknown as ControlDocument | undefined)
  }

  async list(prefix: string): Promise<readonly ControlDocument[]> {
    return this.#translated(() => this.#list.all(prefix, prefix, prefix) as unknown as ControlDocument[])
  }

  async put(name: string, text: string, revision: number): Promise<boolean> {
    return this.#translated(() => {
      const { changes } = revision === 0 ? this.#insert.run(name, text) : this.#update.run(text, name, revision)
      return changes === 1
    })
  }

  async remove(name: string): Promise<void> {
    this.#translated(() => this.#remove.run(name))
  }

  async close(): Promise<void> {
    if (this.#database.isOpen) this.#database.close()
  }

  #translated<T>(call: () => T): T {
    return translated(this.#file, 'store_unavailable', call)
  }
}

function openControlDatabase(file: string): DatabaseSync {
  const database = openDatabase({ file, synchronous: 'FULL', cacheBytes: 1 << 20 }, 'store_unavailable')
  try {
    translated(file, 'store_unavailable', () => createTable(database))
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** Takes no write lock where the table is there, so that opening never waits for a writer. */
function createTable(database: DatabaseSync): void {
  if (database.prepare(`SELECT 1 FROM sqlite_master WHERE name = 'document'`).get()) return
  inTransaction(database, () =>
    database.exec(
      'CREATE TABLE IF NOT EXISTS document (name TEXT PRIMARY KEY, revision INTEGER NOT NULL, text TEXT NOT NULL) WITHOUT ROWID',
    ),
  )
}
