import type { Fail } from '#src/domain/field-reader.ts'

/** Reads big-endian values one after the other and never beyond the end; slices share the memory of the source. */
export class ByteReader {
  readonly #bytes: Buffer
  readonly #fail: Fail
  #offset = 0

  constructor(bytes: Buffer, fail: Fail) {
    this.#bytes = bytes
    this.#fail = fail
  }

  get offset(): number {
    return this.#offset
  }

  get remaining(): number {
    return this.#bytes.length - this.#offset
  }

  byte(what: string): number {
    this.#need(1, what)
    return this.#bytes[this.#offset++] as number
  }

  int32(what: string): number {
    this.#need(4, what)
    const value = this.#bytes.readInt32BE(this.#offset)
    this.#offset += 4
    return value
  }

  uint64(what: string): bigint {
    this.#need(8, what)
    const value = this.#bytes.readBigUInt64BE(this.#offset)
    this.#offset += 8
    return value
  }

  /** The 8 bytes ahead, without moving; undefined when fewer are left. */
  peekUint64(): bigint | undefined {
    return this.remaining < 8 ? undefined : this.#bytes.readBigUInt64BE(this.#offset)
  }

  slice(length: number, what: string): Buffer {
    this.#need(length, what)
    const slice = this.#bytes.subarray(this.#offset, this.#offset + length)
    this.#offset += length
    return slice
  }

  #need(length: number, what: string): void {
    if (this.#offset + length <= this.#bytes.length) return
    throw this.#fail(`it ends within ${what}: ${length} bytes wanted at byte ${this.#offset}, ${this.remaining} left`)
  }
}
