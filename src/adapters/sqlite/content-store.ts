import { join } from 'node:path'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { packContent, unpackContent } from '#src/adapters/packed-content.ts'
import { inTransaction, openDatabase, translated } from '#src/adapters/sqlite/database.ts'
import { fileExists } from '#src/adapters/sqlite/opened-file.ts'
import { type ContentHash, type ContentStore, contentHashOf } from '#src/ports/content-store.ts'

export interface SqliteContentStoreOptions {
  /** Folder that holds `contents.sqlite`; ':memory:' keeps the texts in this object, for tests. */
  readonly folder: string
}

/** The embedded content store: one SQLite file that all processes on a machine share, made with the first text. */
export function openSqliteContentStore(options: SqliteContentStoreOptions): ContentStore {
  return new SqliteContentStore(options)
}

/** Reads all of a file. Throws `decisions_damaged` where a text is not what its hash says. */
export function readSqliteContents(file: string): void {
  const { database } = openContents(file)
  try {
    translated(file, 'decisions_unavailable', () => {
      const rows = database.prepare('SELECT hash, packed FROM content').iterate()
      for (const { hash, packed } of rows) unpackContent(String(hash), packed as Uint8Array)
    })
  } finally {
    database.close()
  }
}

interface Opened {
  readonly database: DatabaseSync
  readonly insert: StatementSync
  readonly select: StatementSync
}

class SqliteContentStore implements ContentStore {
  readonly #file: string
  #opened: Opened | undefined

  constructor({ folder }: SqliteContentStoreOptions) {
    this.#file = folder === ':memory:' ? folder : join(folder, 'contents.sqlite')
  }

  async put(texts: readonly string[]): Promise<void> {
    const rows = texts.map((text) => [contentHashOf(text), packContent(text)] as const)
    this.#translated(() => {
      const { database, insert } = this.#open()
      inTransaction(database, () => {
        for (const [hash, packed] of rows) insert.run(hash, packed)
      })
    })
  }

  async get(hashes: readonly ContentHash[]): Promise<ReadonlyMap<ContentHash, string>> {
    const isThere = this.#file === ':memory:' || fileExists(this.#file, 'decisions_unavailable')
    if (!isThere) return new Map()
    return this.#translated(() => {
      const { select } = this.#open()
      const found = hashes.flatMap((hash): [ContentHash, string][] => {
        const row = select.get(hash) as { packed: Uint8Array } | undefined
        return row === undefined ? [] : [[hash, unpackContent(hash, row.packed)]]
      })
      return new Map(found)
    })
  }

  async close(): Promise<void> {
    if (this.#opened?.database.isOpen) this.#opened.database.close()
    this.#opened = undefined
  }

  #open(): Opened {
    this.#opened ??= openContents(this.#file)
    return this.#opened
  }

  #translated<T>(call: () => T): T {
    return translated(this.#file, 'decisions_unavailable', call)
  }
}

function openContents(file: string): Opened {
  const database = openDatabase({ file, synchronous: 'FULL', cacheBytes: 1 << 20 }, 'decisions_unavailable')
  if (!database.prepare(`SELECT 1 FROM sqlite_master WHERE name = 'content'`).get())
    database.exec('CREATE TABLE IF NOT EXISTS content (hash TEXT PRIMARY KEY, packed BLOB NOT NULL)')
  return {
    database,
    insert: database.prepare('INSERT OR IGNORE INTO content (hash, packed) VALUES (?, ?)'),
    select: database.prepare('SELECT packed FROM content WHERE hash = ?'),
  }
}
