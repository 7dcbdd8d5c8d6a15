import { asBuffer } from '#src/domain/bytes.ts'

const pieceBytes = 256 << 10
/** Tag and length of a field, or a number. */
const headBytesMax = 20
const wireVarint = 0
const wireBytes = 2

/**
 * Writes serialized messages one behind the other into pieces of memory, without objects in between. Fields come in the order in which they
 * are written: ascending, as every producer has them.
 */
export class MessageWriter {
  #piece = Buffer.allocUnsafeSlow(pieceBytes)
  /** Of the message that is written now, and the end of what there is of it. */
  #start = 0
  #at = 0

  /** Ends the message: its bytes, which nothing writes over. */
  finish(): Buffer {
    const message = this.#piece.subarray(this.#start, this.#at)
    this.#start = this.#at
    return message
  }

  /** A number of at least 0, or a negative one as the two's complement of 64 bits; nothing for 0, which is the default. */
  number(field: number, value: number | bigint): void {
    if (value !== 0 && value !== 0n) this.someNumber(field, value)
  }

  /** The same also for 0: a member of a choice that is set. */
  someNumber(field: number, value: number | bigint): void {
    this.#reserve(headBytesMax)
    this.#varint((field << 3) | wireVarint)
    if (value >= 0 && value <= Number.MAX_SAFE_INTEGER) this.#varint(Number(value))
    else this.#wideVarint(BigInt.asUintN(64, BigInt(value)))
  }

  /** Bytes or a text; nothing where there are none. */
  bytes(field: number, value: Uint8Array | undefined): void {
    if (value !== undefined && value.length > 0) this.message(field, value)
  }

  /** The same of bytes that are given as a text of one character each. */
  latin1(field: number, text: string | undefined): void {
    if (text === undefined || text.length === 0) return
    this.#reserve(headBytesMax + text.length)
    this.#varint((field << 3) | wireBytes)
    this.#varint(text.length)
    this.#at += this.#piece.write(text, this.#at, 'latin1')
  }

  /** A serialized message, also an empty one; nothing where it is undefined. */
  message(field: number, value: Uint8Array | undefined): void {
    if (value === undefined) return
    this.#reserve(headBytesMax + value.length)
    this.#varint((field << 3) | wireBytes)
    this.#varint(value.length)
    this.#at += asBuffer(value).copy(this.#piece, this.#at)
  }

  messages(field: number, values: readonly Uint8Array[]): void {
    for (const value of values) this.message(field, value)
  }

  /** A repeated field of numbers, packed; nothing where there are none. */
  packed(field: number, values: readonly bigint[]): void {
    if (values.length === 0) return
    this.nested(field, () => {
      for (const value of values) {
        this.#reserve(headBytesMax)
        this.#wideVarint(BigInt.asUintN(64, value))
      }
    })
  }

  /** A message that `write` fills. */
  nested(field: number, write: () => void): void {
    this.#reserve(headBytesMax)
    this.#varint((field << 3) | wireBytes)
    // Most are short: one byte for the length, and more room is made where that is not enough.
    const lengthAt = this.#at++ - this.#start
    write()
    const from = this.#start + lengthAt + 1
    const length = this.#at - from
    const extra = varintBytes(length) - 1
    this.#reserve(extra)
    const start = this.#start + lengthAt + 1
    if (extra > 0) this.#piece.copyWithin(start + extra, start, start + length)
    this.#at = this.#start + lengthAt
    this.#varint(length)
    this.#at += length
  }

  /** Room for so many more bytes; a message that does not fit into the rest of a piece moves to the next one. */
  #reserve(count: number): void {
    if (this.#at + count <= this.#piece.length) return
    const begun = this.#piece.subarray(this.#start, this.#at)
    this.#piece = Buffer.allocUnsafeSlow(Math.max(pieceBytes, 2 * (begun.length + count)))
    begun.copy(this.#piece)
    this.#start = 0
    this.#at = begun.length
  }

  /** Below 2^53. */
  #varint(value: number): void {
    let rest = value
    while (rest > 0x7f) {
      this.#piece[this.#at++] = (rest % 0x80) | 0x80
      rest = Math.floor(rest / 0x80)
    }
    this.#piece[this.#at++] = rest
  }

  #wideVarint(value: bigint): void {
    let rest = value
    while (rest > 0x7fn) {
      this.#piece[this.#at++] = Number(rest & 0x7fn) | 0x80
      rest >>= 7n
    }
    this.#piece[this.#at++] = Number(rest)
  }
}

function varintBytes(value: number): number {
  return value < 0x80 ? 1 : value < 0x4000 ? 2 : value < 0x20_0000 ? 3 : value < 0x1000_0000 ? 4 : 5
}
