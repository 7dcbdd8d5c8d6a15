import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { openDatabase, translated } from '#src/adapters/sqlite/database.ts'
import { fileExists } from '#src/adapters/sqlite/opened-file.ts'
import { openProjectionWriter, SqliteProjectionWriter, takeOwnerLock } from '#src/adapters/sqlite/projection-writer.ts'
import { type CacheUse, idleCacheBytes, ReaderCaches } from '#src/adapters/sqlite/reader-caches.ts'
import { SqliteRowReader } from '#src/adapters/sqlite/row-reader.ts'
import { walPages } from '#src/adapters/sqlite/wal-bounds.ts'
import { WriterCaches } from '#src/adapters/sqlite/writer-caches.ts'
import {
  instanceName,
  type ProjectionSchema,
  type ProjectionWriter,
  type ReaderOptions,
  type ReadStore,
  type RowReader,
} from '#src/ports/read-store.ts'

const defaultWritersCacheBytes = 24 << 20

export interface SqliteReadStoreOptions {
  /** Folder with one file per build of a projection version; ':memory:' keeps all in this object, for tests. */
  readonly folder: string
  /** Page caches of all writers together. */
  readonly writersCacheBytes?: number
  /** Page caches of all readers together. */
  readonly readersCacheBytes?: number
}

export interface SqliteReadStore extends ReadStore {
  /** How much of their budget the page caches of the readers take. */
  readonly readersCache: CacheUse
}

/** The embedded read store: one SQLite file per build of a projection version. See docs/decisions/0002-one-file-per-projection.md. */
export function openSqliteReadStore(options: SqliteReadStoreOptions): SqliteReadStore {
  return new FileReadStore(options)
}

class FileReadStore implements SqliteReadStore {
  readonly #options: SqliteReadStoreOptions
  readonly #inMemory = new Map<string, DatabaseSync>()

  readonly #caches: ReaderCaches
  readonly #writerCaches: WriterCaches

  constructor(options: SqliteReadStoreOptions) {
    this.#options = options
    this.#caches = new ReaderCaches(options.readersCacheBytes ?? 64 << 20)
    this.#writerCaches = new WriterCaches(options.writersCacheBytes ?? defaultWritersCacheBytes)
  }

  get readersCache(): CacheUse {
    return this.#caches.use
  }

  async openWriter(schema: ProjectionSchema): Promise<ProjectionWriter> {
    const file = this.#fileOf(schema)
    const caches = this.#writerCaches
    if (file !== ':memory:')
      return openProjectionWriter(schema, { file, caches, open: () => this.#openForWriting(file) })
    const name = instanceName(schema)
    const database = this.#inMemory.get(name) ?? this.#openForWriting(file)
    this.#inMemory.set(name, database)
    return new SqliteProjectionWriter({ schema, database, file, shared: true, release: () => {} })
  }

  async openReader(schema: ProjectionSchema, { byTurns = false }: ReaderOptions = {}): Promise<RowReader> {
    const file = this.#fileOf(schema)
    if (file === ':memory:') {
      return new SqliteRowReader({ schema, file, owned: false, open: () => this.#inMemory.get(instanceName(schema)) })
    }
    // The file appears when a projector first opens this version; until then there is nothing to read.
    const open = () =>
      fileExists(file, 'store_unavailable')
        ? openDatabase({ file, readOnly: true, cacheBytes: idleCacheBytes }, 'store_unavailable')
        : undefined
    return new SqliteRowReader({ schema, file, owned: true, open, caches: this.#caches, byTurns })
  }

  async remove(schema: ProjectionSchema): Promise<boolean> {
    const file = this.#fileOf(schema)
    if (file === ':memory:') {
      // Not closed: readers may have it. The owner's number shuts the writer out.
      this.#inMemory.get(instanceName(schema))?.exec('UPDATE "$checkpoint" SET owner = owner + 1')
      return this.#inMemory.delete(instanceName(schema))
    }
    if (!fileSuffixes.some((suffix) => fileExists(file + suffix, 'store_unavailable'))) return false
    translated(file, 'store_unavailable', () => removeFiles(schema, file))
    return true
  }

  async close(): Promise<void> {
    for (const database of this.#inMemory.values()) database.close()
    this.#inMemory.clear()
  }

  #fileOf(schema: ProjectionSchema): string {
    return this.#options.folder === ':memory:'
      ? ':memory:'
      : join(this.#options.folder, `${instanceName(schema)}.sqlite`)
  }

  #openForWriting(file: string): DatabaseSync {
    if (file !== ':memory:' && !fileExists(file, 'store_unavailable')) removeRemains(file)
    return openDatabase({ file, walPages: walPages.max, pageBytes: 8_192 }, 'store_unavailable')
  }
}

const fileSuffixes = ['', '-wal', '-shm'] as const

/** Of a file that somebody removed: read together with a new one they would be taken for its own. */
function removeRemains(file: string): void {
  for (const suffix of fileSuffixes) rmSync(file + suffix, { force: true })
}

/** Readers that still have the file open go on reading it; whoever opens it from now on finds nothing built. */
function removeFiles(schema: ProjectionSchema, file: string): void {
  const lock = takeOwnerLock(schema, file)
  try {
    // The lock's own file stays: whoever waits for it right now must find the same one.
    removeRemains(file)
  } finally {
    lock.release()
  }
}
