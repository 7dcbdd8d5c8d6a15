/** Values that never change, up to so many bytes: those that were asked for longest ago go first. */
export class BytesCache {
  readonly #values = new Map<bigint, Uint8Array>()
  readonly #bytesMax: number
  #bytes = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  get(key: bigint): Uint8Array | undefined {
    const value = this.#values.get(key)
    if (value === undefined) return undefined
    this.#values.delete(key)
    this.#values.set(key, value)
    return value
  }

  keep(key: bigint, value: Uint8Array): Uint8Array {
    this.#values.set(key, value)
    this.#bytes += value.length
    for (const [oldest, { length }] of this.#values) {
      if (this.#bytes <= this.#bytesMax) break
      this.#values.delete(oldest)
      this.#bytes -= length
    }
    return value
  }
}
