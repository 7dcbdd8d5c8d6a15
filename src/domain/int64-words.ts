/**
 * The two 32-bit halves of a 64-bit integer and the integer itself on one memory: write one, read the other. Composing
 * bigints this way costs a fraction of shifting and adding them. Only for use within one synchronous function.
 */
export const words = new Uint32Array(2)
export const whole = new BigInt64Array(words.buffer)

const littleEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1

/** Index of each half in `words`. */
export const lowWord = littleEndian ? 0 : 1
export const highWord = littleEndian ? 1 : 0

/** Writes eight bytes, big-endian, as `DataView` does: a view of its own for each array costs more than the bytes. */
export function writeInt64(bytes: Uint8Array, at: number, value: bigint): void {
  whole[0] = value
  const high = words[highWord]!
  const low = words[lowWord]!
  bytes[at] = high >>> 24
  bytes[at + 1] = high >>> 16
  bytes[at + 2] = high >>> 8
  bytes[at + 3] = high
  bytes[at + 4] = low >>> 24
  bytes[at + 5] = low >>> 16
  bytes[at + 6] = low >>> 8
  bytes[at + 7] = low
}

export function readInt64(bytes: Uint8Array, at: number): bigint {
  words[highWord] = (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!
  words[lowWord] = (bytes[at + 4]! << 24) | (bytes[at + 5]! << 16) | (bytes[at + 6]! << 8) | bytes[at + 7]!
  return whole[0]!
}

/** What `Number` gives for a 64-bit integer, without a call into the engine: exact up to 2^53 either way, rounded beyond. */
export function int64ToNumber(value: bigint): number {
  whole[0] = value
  return (words[highWord]! | 0) * 2 ** 32 + words[lowWord]!
}

/** The lower 32 bits of the two's complement, from 0 on. */
export function lowWordOf(value: bigint): number {
  whole[0] = value
  return words[lowWord]!
}
