/** Parts of an answer on their way from who makes them to who sends them: each is taken before there is room for the next. */
export class PartPipe implements AsyncIterable<Uint8Array> {
  readonly #parts: { readonly part: Uint8Array; readonly taken: (isWanted: boolean) => void }[] = []
  readonly #begun = Promise.withResolvers<void>()
  #waiting: (() => void) | undefined
  #failure: { readonly error: unknown } | undefined
  #hasEnded = false
  #isWanted = true

  /** Resolves with the first part, or the end; rejects with what went wrong before. */
  get begun(): Promise<void> {
    return this.#begun.promise
  }

  /** Resolves once the part was taken: whether more is wanted. */
  push(part: Uint8Array): Promise<boolean> {
    if (!this.#isWanted) return Promise.resolve(false)
    return new Promise((taken) => {
      this.#parts.push({ part, taken })
      this.#begun.resolve()
      this.#waiting?.()
    })
  }

  end(): void {
    this.#hasEnded = true
    this.#begun.resolve()
    this.#waiting?.()
  }

  fail(error: unknown): void {
    this.#failure = { error }
    this.#begun.reject(error)
    this.#waiting?.()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      while (true) {
        const next = this.#parts.shift()
        if (next !== undefined) {
          yield next.part
          next.taken(this.#isWanted)
        } else if (this.#failure !== undefined) throw this.#failure.error
        else if (this.#hasEnded) return
        else await new Promise<void>((resolve) => (this.#waiting = resolve))
      }
    } finally {
      this.#isWanted = false
      for (const { taken } of this.#parts.splice(0)) taken(false)
    }
  }
}
