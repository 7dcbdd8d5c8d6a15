import type { DatabaseSync } from 'node:sqlite'
import { fileBytes } from '#src/adapters/sqlite/database.ts'

/** What a reader keeps that has told no more than where it stands. */
export const idleCacheBytes = 256 << 10

/** How much of a budget is in use. */
export interface CacheUse {
  /** At most this, since the engine does not tell how much of a share is filled; a share larger than its file is not. */
  readonly bytes: number
  readonly bytesMax: number
}

/**
 * Shares one budget among the page caches of all readers that read rows, equally, whenever one comes or goes: however many
 * read models there are, memory stays what it was.
 */
export class ReaderCaches {
  readonly bytesMax: number
  readonly #readers = new Set<DatabaseSync>()

  constructor(bytesMax: number) {
    this.bytesMax = bytesMax
  }

  /** The share of each reader; one that is asked for less than this keeps less. */
  get shareBytes(): number {
    return Math.floor(this.bytesMax / Math.max(1, this.#readers.size))
  }

  get use(): CacheUse {
    const bytes = [...this.#readers].reduce((sum, database) => sum + Math.min(this.shareBytes, fileBytes(database)), 0)
    return { bytes, bytesMax: this.bytesMax }
  }

  join(database: DatabaseSync): void {
    if (this.#readers.has(database)) return
    this.#readers.add(database)
    this.#share()
  }

  leave(database: DatabaseSync): void {
    if (this.#readers.delete(database)) this.#share()
  }

  #share(): void {
    const kibibytes = Math.max(1, Math.floor(this.shareBytes / 1_024))
    for (const database of this.#readers) database.exec(`PRAGMA cache_size = -${kibibytes}`)
  }
}
