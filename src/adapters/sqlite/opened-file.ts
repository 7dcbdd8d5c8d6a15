import { type BigIntStats, statSync } from 'node:fs'
import { type ErrorCode, LedgerError } from '#src/domain/errors.ts'

/** A file as it was opened: one that is removed, or has another in its place, can be read and written as if it were there. */
export class OpenedFile {
  readonly #file: string
  readonly #unavailable: ErrorCode
  readonly #inode: bigint | undefined
  #bytes: bigint

  /** `unavailable`: what it is told as that the file has to be opened anew. */
  constructor(file: string, unavailable: ErrorCode = 'log_unavailable') {
    this.#file = file
    this.#unavailable = unavailable
    const stats = statsOf(file, unavailable)
    this.#inode = stats?.ino
    this.#bytes = stats?.size ?? 0n
  }

  /** Throws what it was told to, so that it is opened anew and looked at. */
  assertThere(): void {
    if (this.#inode === undefined || statsOf(this.#file, this.#unavailable)?.ino === this.#inode) return
    const message = `The file ${this.#file} was removed or replaced while it was open; it is opened anew`
    throw new LedgerError(this.#unavailable, message, { file: this.#file })
  }

  /** Nothing is there any more. */
  get isRemoved(): boolean {
    return this.#inode !== undefined && statsOf(this.#file, this.#unavailable) === undefined
  }

  /**
   * What is wrong with the file for good, as a part of a sentence: it was replaced, beside which the rest of the one before still
   * lies, or it got shorter, which a database never does.
   */
  get harm(): string | undefined {
    const stats = this.#inode === undefined ? undefined : statsOf(this.#file, this.#unavailable)
    if (stats === undefined) return undefined
    if (stats.ino !== this.#inode) return 'it was replaced while it was open'
    if (stats.size < this.#bytes) return `it was cut off from ${this.#bytes} to ${stats.size} bytes while it was open`
    this.#bytes = stats.size
    return undefined
  }
}

/** Whether there is a file. Throws what it was told to where nobody lets us look: that is not the same as that there is none. */
export function fileExists(file: string, unavailable: ErrorCode): boolean {
  return statsOf(file, unavailable) !== undefined
}

/** undefined where there is none, as of a log in memory. */
function statsOf(file: string, unavailable: ErrorCode): BigIntStats | undefined {
  try {
    return statSync(file, { bigint: true, throwIfNoEntry: false })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    // A file in the place of its folder.
    if (code === 'ENOTDIR') return undefined
    throw new LedgerError(
      unavailable,
      `The file ${file} cannot be looked at (${message}); check the permissions of its folder`,
      { file },
      error,
    )
  }
}
