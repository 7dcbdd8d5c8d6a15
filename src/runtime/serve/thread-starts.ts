const stateOf = { starting: 0, early: 1, begun: 2 } as const

/** How far the threads of a serving process have come, in memory that they share. */
export class ThreadStarts {
  readonly #cells: Int32Array
  readonly #own: number

  /** `cells` has one for each thread; one that takes another's place begins anew. */
  constructor(cells: Int32Array = new Int32Array(1), thread = 1) {
    this.#cells = cells
    this.#own = thread - 1
    Atomics.store(cells, this.#own, stateOf.starting)
  }

  /** From now on this thread answers from the read models. */
  begin(): void {
    Atomics.store(this.#cells, this.#own, stateOf.begun)
  }

  /** This thread listens although it cannot answer yet. Returns false, and it must not, where another can. */
  listenEarly(): boolean {
    if (this.#states.includes(stateOf.begun)) return false
    Atomics.store(this.#cells, this.#own, stateOf.early)
    return true
  }

  /** Threads that listen and cannot answer yet: connections are dealt out to them, too. */
  get early(): number {
    return this.#states.filter((state) => state === stateOf.early).length
  }

  get #states(): number[] {
    return Array.from(this.#cells, (_, thread) => Atomics.load(this.#cells, thread))
  }
}
