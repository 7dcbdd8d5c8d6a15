/** Values by the time they began to hold; times only go up. */
export class Versions<T> {
  readonly #times: bigint[] = []
  readonly #values: T[] = []

  get newest(): T | undefined {
    return this.#values.at(-1)
  }

  /** When each of the values began to hold. */
  get times(): readonly bigint[] {
    return this.#times
  }

  set(time: bigint, value: T): void {
    const last = this.#times.at(-1)
    if (last !== undefined && time < last) throw new RangeError(`a change at ${time} comes after one at ${last}`)
    if (time === last) this.#values[this.#values.length - 1] = value
    else {
      this.#times.push(time)
      this.#values.push(value)
    }
  }

  /** What held at the time, and since when. */
  at(time: bigint): { readonly since: bigint; readonly value: T } | undefined {
    let [low, high] = [0, this.#times.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#times[middle] ?? 0n) <= time) low = middle + 1
      else high = middle
    }
    const [since, value] = [this.#times[low - 1], this.#values[low - 1]]
    return since === undefined ? undefined : { since, value: value as T }
  }
}
