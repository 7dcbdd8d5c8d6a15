import { statSync } from 'node:fs'
import { LedgerError } from '#src/domain/errors.ts'

/** A log's file as it was opened: one that is removed, or has another in its place, can be read and written as if it were there. */
export class OpenedFile {
  readonly #file: string
  readonly #inode: bigint | undefined

  constructor(file: string) {
    this.#file = file
    this.#inode = inodeOf(file)
  }

  /** Throws `log_unavailable`, so that it is opened anew and looked at. */
  assertThere(): void {
    if (this.#inode === undefined || inodeOf(this.#file) === this.#inode) return
    const message = `The log ${this.#file} was removed or replaced while it was open; it is opened anew`
    throw new LedgerError('log_unavailable', message, { file: this.#file })
  }
}

/** undefined where there is none, as of a log in memory. */
function inodeOf(file: string): bigint | undefined {
  return statSync(file, { bigint: true, throwIfNoEntry: false })?.ino
}
