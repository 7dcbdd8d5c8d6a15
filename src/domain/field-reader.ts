import type { LedgerError } from '#src/domain/errors.ts'
import { highWord, lowWord, whole, words } from '#src/domain/int64-words.ts'

/** Builds the error of a reader, so that it names what is being read. */
export type Fail = (reason: string) => LedgerError

export const wireVarint = 0
const wireFixed64 = 1
export const wireBytes = 2
const wireFixed32 = 5

/**
 * Walks the fields of one protobuf message on the wire without decoding what is inside them, so that bytes that are hashed
 * stay exactly as received. Slices share the memory of the source.
 */
export class FieldReader {
  readonly #bytes: Buffer
  readonly #fail: Fail
  readonly #limit: number
  #offset: number
  #valueStart = 0
  #valueEnd = 0
  field = 0
  wire = 0

  constructor(bytes: Buffer, fail: Fail, start = 0, end = bytes.length) {
    this.#bytes = bytes
    this.#fail = fail
    this.#offset = start
    this.#limit = end
  }

  /** Moves to the next field; false at the end. A group or an unknown wire type is an error. */
  next(): boolean {
    if (this.#offset >= this.#limit) return false
    const tag = this.#varint32()
    this.field = tag >>> 3
    this.wire = tag & 7
    if (this.field === 0) throw this.#fail(`the field number 0 at byte ${this.#offset} is not legal`)
    this.#valueStart = this.#offset
    if (this.wire === wireVarint) this.#skipVarint()
    else if (this.wire === wireBytes) this.#skipBytes()
    else if (this.wire === wireFixed64) this.#skip(8)
    else if (this.wire === wireFixed32) this.#skip(4)
    else throw this.#fail(`the wire type ${this.wire} of field ${this.field} is not known`)
    return true
  }

  /** The value of a length-delimited field. */
  bytes(): Buffer {
    this.#expect(wireBytes)
    return this.#bytes.subarray(this.#valueStart, this.#valueEnd)
  }

  /** A reader of the message in the field, without a slice of its own. */
  message(): FieldReader {
    this.#expect(wireBytes)
    return new FieldReader(this.#bytes, this.#fail, this.#valueStart, this.#valueEnd)
  }

  /** An int32, uint32, bool or enum: the low 32 bits, signed. */
  int32(): number {
    this.#expect(wireVarint)
    let value = 0
    for (let at = this.#valueStart, shift = 0; at < this.#valueEnd && shift < 32; at++, shift += 7) {
      value |= ((this.#bytes[at] as number) & 0x7f) << shift
    }
    return value
  }

  /** An int64 as a signed 64-bit integer. */
  int64(): bigint {
    this.#expect(wireVarint)
    let low = 0
    let high = 0
    for (let at = this.#valueStart, shift = 0; at < this.#valueEnd; at++, shift += 7) {
      const bits = (this.#bytes[at] as number) & 0x7f
      if (shift < 32) low |= bits << shift
      if (shift === 28) high = bits >>> 4
      else if (shift > 28) high |= bits << (shift - 32)
    }
    words[lowWord] = low
    words[highWord] = high
    return whole[0] as bigint
  }

  /** A sint64: zigzag. */
  sint64(): bigint {
    const value = BigInt.asUintN(64, this.int64())
    return (value >> 1n) ^ -(value & 1n)
  }

  /** How many numbers a repeated field of numbers adds: one, or those that are packed in one value. */
  numbersCount(): number {
    if (this.wire === wireVarint) return 1
    this.#expect(wireBytes)
    let count = 0
    for (let at = this.#valueStart; at < this.#valueEnd; at++) if ((this.#bytes[at] as number) < 0x80) count += 1
    return count
  }

  #expect(wire: number): void {
    if (this.wire !== wire) throw this.#fail(`field ${this.field} has the wire type ${this.wire} instead of ${wire}`)
  }

  #varint32(): number {
    let value = 0
    for (let shift = 0; shift < 35; shift += 7) {
      if (this.#offset >= this.#limit) throw this.#fail(`it ends within a number at byte ${this.#offset}`)
      const byte = this.#bytes[this.#offset++] as number
      value |= (byte & 0x7f) << shift
      if (byte < 0x80) return value >>> 0
    }
    throw this.#fail(`a tag or length at byte ${this.#offset} is longer than 5 bytes`)
  }

  #skipVarint(): void {
    for (let count = 0; count < 10; count++) {
      if (this.#offset >= this.#limit) throw this.#fail(`it ends within a number at byte ${this.#offset}`)
      if ((this.#bytes[this.#offset++] as number) < 0x80) {
        this.#valueEnd = this.#offset
        return
      }
    }
    throw this.#fail(`a number at byte ${this.#offset} is longer than 10 bytes`)
  }

  #skipBytes(): void {
    const length = this.#varint32()
    this.#valueStart = this.#offset
    this.#skip(length)
  }

  #skip(length: number): void {
    if (this.#offset + length > this.#limit) {
      throw this.#fail(
        `field ${this.field} at byte ${this.#offset} wants ${length} bytes, ${this.#limit - this.#offset} are left`,
      )
    }
    this.#offset += length
    this.#valueEnd = this.#offset
  }
}
