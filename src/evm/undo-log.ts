/** Values by key whose changes can be taken back to a checkpoint. */
export class UndoLog {
  readonly #values = new Map<string, unknown>()
  readonly #undo: (readonly [key: string, before: unknown, was: boolean])[] = []
  readonly #checkpoints: number[] = []

  has(key: string): boolean {
    return this.#values.has(key)
  }

  get<T>(key: string): T | undefined {
    return this.#values.get(key) as T | undefined
  }

  set(key: string, value: unknown): void {
    if (this.#checkpoints.length > 0) this.#undo.push([key, this.#values.get(key), this.#values.has(key)])
    this.#values.set(key, value)
  }

  /** Between transactions: what goes does not come back. */
  forget(start: string): void {
    for (const key of this.#values.keys()) if (key.startsWith(start)) this.#values.delete(key)
  }

  checkpoint(): void {
    this.#checkpoints.push(this.#undo.length)
  }

  commit(): void {
    this.#checkpoints.pop()
  }

  revert(): void {
    const length = this.#checkpoints.pop() ?? 0
    while (this.#undo.length > length) {
      const [key, before, was] = this.#undo.pop()!
      if (was) this.#values.set(key, before)
      else this.#values.delete(key)
    }
  }
}
