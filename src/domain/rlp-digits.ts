/**
 * RLP of bytes that are given as hex digits, as hex digits: what rows hold as digits becomes bytes in one conversion at the end,
 * which takes a third of what encoding each part of it as bytes does. Yellow paper, appendix B.
 */
export function rlpOfBytes(digits: string): string {
  if (digits.length === 2 && digits < '80') return digits
  return prefixOf(digits.length / 2, bytesFrom) + digits
}

/** Of items that are encoded already, behind each other. */
export function rlpOfList(items: string): string {
  return prefixOf(items.length / 2, listFrom) + items
}

/** First of the prefixes that say how long bytes, or a list, are. */
const [bytesFrom, listFrom] = [0x80, 0xc0]
const shortMax = 55

function prefixOf(length: number, from: number): string {
  if (length <= shortMax) return wholeBytes(from + length)
  const digits = wholeBytes(length)
  return wholeBytes(from + shortMax + digits.length / 2) + digits
}

/** Hex digits of a number, of whole bytes. */
export function wholeBytes(value: number | bigint): string {
  const digits = value.toString(16)
  return digits.length % 2 === 0 ? digits : `0${digits}`
}
