import type { DatabaseSync, StatementSync } from 'node:sqlite'

/** Pages in a write-ahead log from which it is moved into the file: 1.5 MiB, and 125. */
export const walPages = { min: 192, max: 16_000 } as const

/** Many commits write the same pages again, so what is moved seldom is moved once: room for some commits as large as this one. */
const pagesPerEvent = 4

/** Moving them waits for the disk, so a commit leaves it to a moment when there is nothing to fold, unless there was none for so long. */
const pagesAtCommit = 4

interface WalState {
  /** Pages written, and those of them that are moved. */
  readonly log: number
  readonly checkpointed: number
}

/**
 * Bounds the write-ahead log of a writer by the size of its commits: large ones while it catches up, small ones while it follows
 * the log. As many of these logs as there are read models lie beside each other.
 */
export class WalBounds {
  readonly #database: DatabaseSync
  readonly #pageBytes: number
  #pages = 0
  #look: StatementSync | undefined

  constructor(database: DatabaseSync) {
    this.#database = database
    const { page_size: bytes } = database.prepare('PRAGMA page_size').get() as { page_size: number }
    this.#pageBytes = bytes
  }

  /** Before a commit of so many events ends. */
  committing(events: number): void {
    const pages = pagesFor(events)
    if (pages === this.#pages) return
    this.#pages = pages
    this.#database.exec(`PRAGMA wal_autocheckpoint = ${Math.min(pages * pagesAtCommit, walPages.max)}`)
    // Else the file stays as large as it ever was.
    this.#database.exec(`PRAGMA journal_size_limit = ${pages * this.#pageBytes}`)
  }

  /** Pages to be moved; 0 while they are few. */
  leftOver(): number {
    this.#look ??= this.#database.prepare('PRAGMA wal_checkpoint(NOOP)')
    const { log, checkpointed } = this.#look.get() as unknown as WalState
    return this.#pages > 0 && log - checkpointed >= this.#pages ? log - checkpointed : 0
  }

  /** Moves them, as far as no reader needs them where they are. */
  tidy(): void {
    this.#database.exec('PRAGMA wal_checkpoint(PASSIVE)')
  }
}

/** In steps, so that it seldom changes. */
function pagesFor(events: number): number {
  let pages: number = walPages.min
  while (pages < events * pagesPerEvent && pages < walPages.max) pages *= 2
  return Math.min(pages, walPages.max)
}
