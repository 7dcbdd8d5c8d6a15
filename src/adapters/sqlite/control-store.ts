import { join } from 'node:path'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { damaged } from '#src/adapters/row-sums.ts'
import { inTransaction, openDatabase, translated } from '#src/adapters/sqlite/database.ts'
import { withValue } from '#src/adapters/value-sums.ts'
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
    const fields = 'SELECT name, revision, text, sum FROM document'
    this.#get = database.prepare(`${fields} WHERE name = ?`)
    // Not LIKE, whose wildcards may occur in names.
    this.#list = database.prepare(`${fields} WHERE name >= ? AND substr(name, 1, length(?)) = ? ORDER BY name`)
    this.#insert = database.prepare('INSERT OR IGNORE INTO document (name, revision, text, sum) VALUES (?, 1, ?, ?)')
    this.#update = database.prepare(
      'UPDATE document SET revision = revision + 1, text = ?, sum = ? WHERE name = ? AND revision = ?',
    )
    this.#remove = database.prepare('DELETE FROM document WHERE name = ?')
  }

  async get(name: string): Promise<ControlDocument | undefined> {
    return this.#translated(() => {
      const row = this.#get.get(name) as unknown as DocumentRow | undefined
      return row && documentOf(row)
    })
  }

  async list(prefix: string): Promise<readonly ControlDocument[]> {
    return this.#translated(() => (this.#list.all(prefix, prefix, prefix) as unknown as DocumentRow[]).map(documentOf))
  }

  async put(name: string, text: string, revision: number): Promise<boolean> {
    return this.#translated(() => {
      const sum = sumOf({ name, revision: revision + 1, text })
      const { changes } =
        revision === 0 ? this.#insert.run(name, text, sum) : this.#update.run(text, sum, name, revision)
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

/** A document with its checksum, which those of earlier releases do not have until they are written again. */
interface DocumentRow extends ControlDocument {
  readonly sum: number | null
}

function sumOf({ name, revision, text }: ControlDocument): number {
  return withValue(withValue(withValue(0, name), revision), text)
}

function documentOf({ sum, ...document }: DocumentRow): ControlDocument {
  if (sum !== null && sum !== sumOf(document)) damaged()
  return document
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
  if (hasSums(database)) return
  inTransaction(database, () => {
    database.exec(
      'CREATE TABLE IF NOT EXISTS document (name TEXT PRIMARY KEY, revision INTEGER NOT NULL, text TEXT NOT NULL, sum INTEGER) WITHOUT ROWID',
    )
    if (!hasSums(database)) database.exec('ALTER TABLE document ADD COLUMN sum INTEGER')
  })
}

function hasSums(database: DatabaseSync): boolean {
  return database.prepare(`SELECT 1 FROM pragma_table_info('document') WHERE name = 'sum'`).get() !== undefined
}
