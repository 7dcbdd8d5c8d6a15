export const base32Alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Bytes of base32 without padding; bits that fill no byte are dropped. */
export function decodeBase32(digits: string): Buffer {
  const bytes: number[] = []
  let bits = 0
  let value = 0
  for (const digit of digits) {
    value = (value << 5) | base32Alphabet.indexOf(digit)
    bits += 5
    if (bits < 8) continue
    bits -= 8
    bytes.push(value >> bits)
    value &= (1 << bits) - 1
  }
  return Buffer.from(bytes)
}

/** Base32 without padding, upper case. */
export function encodeBase32(bytes: Uint8Array): string {
  let text = ''
  let bits = 0
  let value = 0
  for (const byte of bytes) {
    value = (value << 8) | byte
    bits += 8
    for (; bits >= 5; bits -= 5) text += base32Alphabet[(value >> (bits - 5)) & 31]
    value &= (1 << bits) - 1
  }
  return bits > 0 ? text + base32Alphabet[(value << (5 - bits)) & 31] : text
}
