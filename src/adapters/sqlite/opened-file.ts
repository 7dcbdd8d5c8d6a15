import { statSync } from 'node:fs'
import { type ErrorCode, LedgerError } from '#src/domain/errors.ts'

/** A file as it was opened: one that is removed, or has another in its place, can be read and written as if it were there. */
export class OpenedFile {
  readonly #file: string
  readonly #unavailable: ErrorCode
  readonly #inode: bigint | undefined

  /** `unavailable`: what it is told as that the file has to be opened anew. */
  constructor(file: string, unavailable: ErrorCode = 'log_unavailable') {
    this.#file = file
    this.#unavailable = unavailable
    this.#inode = inodeOf(file)
  }

  /** Throws what it was told to, so that it is opened anew and looked at. */
  assertThere(): void {
    if (this.#inode === undefined || inodeOf(this.#file) === this.#inode) return
    const message = `The file ${this.#file} was removed or replaced while it was open; it is opened anew`
    throw new LedgerError(this.#unavailable, message, { file: this.#file })
  }
}

/** undefined where there is none, as of a log in memory. */
function inodeOf(file: string): bigint | undefined {
  return statSync(file, { bigint: true, throwIfNoEntry: false })?.ino
}
