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

/** A word without its leading zero bytes; empty for zero. On the memory of the word. */
export function trimmedWord(word: Buffer): Buffer {
  let start = 0
  while (word[start] === 0) start += 1
  return start === 0 ? word : word.subarray(start)
}

/** Hex digits of a word without leading zero bytes: words are the same where these are. Empty for all zero. */
export function trimmedDigits(digits: string): string {
  let start = 0
  while (digits.startsWith('00', start)) start += 2
  return start === 0 ? digits : digits.slice(start)
}

/** The unsigned number that a word is. */
export function numberOfWord(word: Uint8Array): bigint {
  return BigInt(`0x${asBuffer(word).toString('hex')}`)
}

export function wordOfNumber(value: bigint): Buffer {
  return Buffer.from(digitsOfWord(value), 'hex')
}

/** All 64 hex digits. */
export function digitsOfWord(value: bigint): string {
  return value.toString(16).padStart(2 * wordBytes, '0')
}

/** An unsigned 64-bit number as hex digits of whole bytes, without leading zero bytes; a negative one is its two's complement. */
export function numberDigits(value: bigint): string {
  const digits =
    value >= 0n && value <= Number.MAX_SAFE_INTEGER
      ? Number(value).toString(16)
      : BigInt.asUintN(64, value).toString(16)
  return digits.length % 2 === 0 ? digits : `0${digits}`
}
