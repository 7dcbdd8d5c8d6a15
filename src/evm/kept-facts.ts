/** Facts of instants, by what they are of: they never change, and are read once for many calls. Those asked for longest ago go first. */
export class KeptFacts {
  readonly #facts = new Map<string, unknown>()
  readonly #max: number

  constructor(max: number) {
    this.#max = max
  }

  get size(): number {
    return this.#facts.size
  }

  /** What is kept under a key that says instant and fact, or is found now; what can't be found is not kept. */
  async of<T>(key: string, find: () => Promise<T>): Promise<T> {
    const isKept = this.#facts.has(key)
    const fact = isKept ? (this.#facts.get(key) as T) : await find()
    // What was asked for last stands last.
    this.#facts.delete(key)
    this.#facts.set(key, fact)
    if (this.#facts.size > this.#max) this.#facts.delete(this.#facts.keys().next().value!)
    return fact
  }
}
