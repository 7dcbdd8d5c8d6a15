import type { DatabaseSync } from 'node:sqlite'

/** Pages in a write-ahead log from which a commit moves it into the file: 1.5 MiB, and 125. */
export const walPages = { min: 192, max: 16_000 } as const

/** Many commits write the same pages again, so what is moved seldom is moved once: room for some commits as large as this one. */
const pagesPerEvent = 4

/**
 * Bounds the write-ahead log of a writer by the size of its commits: large ones while it catches up, small ones while it follows
 * the log. As many of these logs as there are read models lie beside each other.
 */
export class WalBounds {
  readonly #database: DatabaseSync
  readonly #pageBytes: number
  #pages = 0

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
    this.#database.exec(`PRAGMA wal_autocheckpoint = ${pages}`)
    // Else the file stays as large as it ever was.
    this.#database.exec(`PRAGMA journal_size_limit = ${pages * this.#pageBytes}`)
  }
}

/** In steps, so that it seldom changes. */
function pagesFor(events: number): number {
  let pages: number = walPages.min
  while (pages < events * pagesPerEvent && pages < walPages.max) pages *= 2
  return Math.min(pages, walPages.max)
}
