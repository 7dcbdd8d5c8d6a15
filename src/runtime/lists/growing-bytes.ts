import { copyBytes, viewOf } from '#src/runtime/lists/records.ts'

/** Bytes that are appended to. */
export class GrowingBytes {
  bytes: Uint8Array
  view: DataView
  length = 0

  constructor(capacity: number) {
    this.bytes = new Uint8Array(capacity)
    this.view = viewOf(this.bytes)
  }

  /** Makes room for some more and returns where they begin. */
  extend(count: number): number {
    const start = this.length
    this.length += count
    if (this.length > this.bytes.length) {
      const grown = new Uint8Array(Math.max(this.length, this.bytes.length * 2))
      grown.set(this.bytes)
      this.bytes = grown
      this.view = viewOf(grown)
    }
    return start
  }

  /** Appends a part of other bytes. */
  append(from: Uint8Array, start: number, count: number): void {
    const at = this.extend(count)
    copyBytes(from, start, this.bytes, at, count)
  }

  /** A copy, since the bytes may grow again before it is written. */
  copy(): Uint8Array {
    return this.bytes.slice(0, this.length)
  }
}
