import type { UndoLog } from '#src/evm/undo-log.ts'

/** Facts of the ledger, each read once, under what was changed of them. */
export class OverlaidFacts {
  readonly #changes: UndoLog
  readonly #read = new Map<string, Promise<unknown>>()

  constructor(changes: UndoLog) {
    this.#changes = changes
  }

  get<T>(key: string, read: () => Promise<T>): Promise<T> {
    if (this.#changes.has(key)) return Promise.resolve(this.#changes.get(key) as T)
    let found = this.#read.get(key) as Promise<T> | undefined
    if (found === undefined) {
      found = read()
      this.#read.set(key, found)
    }
    return found
  }

  /** What was set, and nothing that is read. */
  changed<T>(key: string): T | undefined {
    return this.#changes.get<T>(key)
  }

  set(key: string, fact: unknown): void {
    this.#changes.set(key, fact)
  }
}
