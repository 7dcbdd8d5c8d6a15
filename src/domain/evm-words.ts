import { asBuffer } from '#src/domain/bytes.ts'

/** A word of the EVM. */
export const wordBytes = 32

/** At least a word: leading zeros may be missing on the wire and in rows. */
export function paddedWord(bytes: Uint8Array): Buffer {
  const given = asBuffer(bytes)
  if (given.length >= wordBytes) return given
  const word = Buffer.alloc(wordBytes)
  word.set(given, wordBytes - given.length)
  return word
}

/** Without leading zero bytes; of what is all zero one stays. What is empty stays so. */
export function trimmedWord(bytes: Uint8Array): Buffer {
  const given = asBuffer(bytes)
  let start = 0
  while (start < given.length - 1 && given[start] === 0) start += 1
  return start === 0 ? given : given.subarray(start)
}

/** An unsigned 64-bit number as a trimmed word; a negative one is its two's complement. */
export function numberWord(value: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt.asUintN(64, value))
  return trimmedWord(bytes)
}

/** Whether two words are the same, however many zeros they lack. */
export function sameWord(one: Uint8Array, other: Uint8Array): boolean {
  const [a, b] = [significant(one), significant(other)]
  return a.equals(b)
}

function significant(bytes: Uint8Array): Buffer {
  const word = trimmedWord(bytes)
  return word.length === 1 && word[0] === 0 ? word.subarray(1) : word
}
