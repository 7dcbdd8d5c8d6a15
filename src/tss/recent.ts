/** Remembers the entries used last, `max` of them. */
export class Recent<Value> {
  readonly #max: number
  readonly #entries = new Map<string, Value>()

  constructor(max: number) {
    this.#max = max
  }

  get(key: string): Value | undefined {
    const value = this.#entries.get(key)
    if (value === undefined) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, value)
    return value
  }

  set(key: string, value: Value): void {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    const [oldest] = this.#entries.keys()
    if (this.#entries.size > this.#max && oldest !== undefined) this.#entries.delete(oldest)
  }
}
