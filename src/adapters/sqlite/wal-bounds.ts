import type { DatabaseSync } from 'node:sqlite'

/** Pages of 8 KiB in the write-ahead log from which a commit moves it into the file. */
export const walPages = {
  /** Many commits write the same pages again, so what is moved seldom is moved once. */
  catchingUp: 16_000,
  /** A commit is small, and as many of these logs as there are read models lie beside each other. */
  following: 192,
} as const

/** Bytes that the log's file keeps after it was moved, to be written again. */
const keptBytes = walPages.following * 8_192

/** A commit of fewer events is one of a writer that follows the end of the log. */
const followingEventsMax = 2_000

/** Bounds the write-ahead log of a writer by what it does: catch up in large commits, or follow in small ones. */
export class WalBounds {
  readonly #database: DatabaseSync
  #isFollowing: boolean | undefined

  constructor(database: DatabaseSync) {
    this.#database = database
    // Else the file stays as large as it ever was.
    database.exec(`PRAGMA journal_size_limit = ${keptBytes}`)
  }

  /** Before a commit of so many events ends. */
  committing(events: number): void {
    const isFollowing = events < followingEventsMax
    if (isFollowing === this.#isFollowing) return
    this.#isFollowing = isFollowing
    const pages = isFollowing ? walPages.following : walPages.catchingUp
    this.#database.exec(`PRAGMA wal_autocheckpoint = ${pages}`)
  }
}
