import type { DatabaseSync } from 'node:sqlite'
import { fileBytes } from '#src/adapters/sqlite/database.ts'

/** Commits of any writer between two looks at the sizes of the files. */
const commitsPerShare = 32

/** A file may grow so much before the next look. */
const growthBytes = 4 << 20

/**
 * Shares one budget among the page caches of all writers. Most read models are small, so each gets what its file can use, and
 * the large ones share the rest equally.
 */
export class WriterCaches {
  readonly bytesMax: number
  readonly #writers = new Set<DatabaseSync>()
  #commits = 0

  constructor(bytesMax: number) {
    this.bytesMax = bytesMax
  }

  join(database: DatabaseSync): void {
    this.#writers.add(database)
    this.#share()
  }

  leave(database: DatabaseSync): void {
    if (this.#writers.delete(database)) this.#share()
  }

  /** Files grow with commits. */
  committed(): void {
    this.#commits += 1
    if (this.#commits % commitsPerShare === 0) this.#share()
  }

  #share(): void {
    const wanted = [...this.#writers].map((database) => ({ database, bytes: fileBytes(database) + growthBytes }))
    wanted.sort((a, b) => a.bytes - b.bytes)
    let rest = this.bytesMax
    for (const [index, { database, bytes }] of wanted.entries()) {
      const share = Math.min(bytes, Math.floor(rest / (wanted.length - index)))
      rest -= share
      database.exec(`PRAGMA cache_size = -${Math.max(1, Math.floor(share / 1_024))}`)
    }
  }
}
