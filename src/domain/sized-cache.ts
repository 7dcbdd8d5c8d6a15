/** Values that never change, up to so much of them: those that were asked for longest ago go first. */
export class SizedCache<K, V> {
  readonly #values = new Map<K, V>()
  readonly #sizeMax: number
  readonly #sizeOf: (value: V, key: K) => number
  #size = 0

  /** Each value counts as one unless `sizeOf` is given. */
  constructor(sizeMax: number, sizeOf: (value: V, key: K) => number = () => 1) {
    this.#sizeMax = sizeMax
    this.#sizeOf = sizeOf
  }

  /** What they come to. */
  get size(): number {
    return this.#size
  }

  get(key: K): V | undefined {
    const value = this.#values.get(key)
    if (value === undefined) return undefined
    this.#values.delete(key)
    this.#values.set(key, value)
    return value
  }

  keep(key: K, value: V): V {
    const before = this.#values.get(key)
    if (before !== undefined) this.#drop(key, before)
    this.#values.set(key, value)
    this.#size += this.#sizeOf(value, key)
    for (const [oldest, each] of this.#values) {
      if (this.#size <= this.#sizeMax) break
      this.#drop(oldest, each)
    }
    return value
  }

  #drop(key: K, value: V): void {
    this.#values.delete(key)
    this.#size -= this.#sizeOf(value, key)
  }
}
