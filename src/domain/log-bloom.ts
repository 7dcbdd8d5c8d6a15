import { evmAddressBytes, longZeroDigits } from '#src/domain/evm-address.ts'
import { trimmedDigits, wordBytes } from '#src/domain/evm-words.ts'
import { hexDigitsOf } from '#src/domain/hex-digits.ts'
import { keccak256 } from '#src/domain/keccak.ts'

/** A filter of logs: 2,048 bits. */
export const bloomBytes = 256

/**
 * The filter of one log as the EVM makes it: three bits for its address and for each of its topics. Yellow paper, 4.3.1.
 * Topics may lack leading zeros; those that the log has not are null.
 */
export function bloomOf(address: Uint8Array, topics: readonly (Uint8Array | null)[]): Buffer {
  const bloom = Buffer.alloc(bloomBytes)
  const [addressDigits = '', ...topicDigits] = hexDigitsOf([address, ...topics.filter((topic) => topic !== null)])
  setBits(bloom, addressBitsOf(addressDigits))
  for (const digitsOfTopic of topicDigits) setBits(bloom, topicBitsOf(trimmedDigits(digitsOfTopic)))
  return bloom
}

/** A filter that holds what either of two does; empty ones hold nothing, and may be shorter. */
export function uniteBlooms(one: Uint8Array, other: Uint8Array): Buffer {
  const union = Buffer.alloc(bloomBytes)
  for (const bloom of [one, other])
    for (let at = 0, to = bloomBytes - bloom.length; at < bloom.length; at++, to++) union[to]! |= bloom[at]!
  return union
}

/**
 * Bits of a filter, as a text that rows can hold: two characters for the place of each, of which the second has the six lower
 * bits. Those of several items are the texts behind each other.
 */
type BitText = string

const placeLength = 2
/** The characters from here on are printable. */
const firstCharacter = 0x30

function textOfPlace(bit: number): BitText {
  return String.fromCharCode(firstCharacter + (bit >> 6), firstCharacter + (bit & 63))
}

function placeAt(bits: BitText, at: number): number {
  return ((bits.charCodeAt(at) - firstCharacter) << 6) | (bits.charCodeAt(at + 1) - firstCharacter)
}

/** Adds bits to a filter; `from`: where they begin in the text. */
export function setBits(bloom: Uint8Array, bits: BitText, from = 0): void {
  for (let at = from; at < bits.length; at += placeLength) {
    const bit = placeAt(bits, at)
    bloom[bloomBytes - 1 - (bit >> 3)]! |= 1 << (bit & 7)
  }
}

/** More than the filter of one log can have: it holds an address and at most four topics. */
const fewBits = 16

/** All bits of a filter; undefined where it has more than one log gives it, or is none of full length. */
export function fewBitsIn(bloom: Uint8Array): BitText | undefined {
  if (bloom.length !== bloomBytes) return undefined
  let bits = ''
  for (let at = 0; at < bloomBytes; at++)
    for (let byte = bloom[at]!; byte !== 0; byte &= byte - 1)
      bits += textOfPlace((bloomBytes - 1 - at) * 8 + 31 - Math.clz32(byte & -byte))
  return bits.length > fewBits * placeLength ? undefined : bits
}

const digitCount = 2 * bloomBytes
const zeroDigit = 0x30
const digitCodes = Buffer.from('0123456789abcdef')
/** The digits of a filter in the making, between its uses all zero. */
const digits = Buffer.alloc(digitCount, zeroDigit)
const values = new Uint8Array(digitCount)

/** A filter as hex digits, few of which are not zero. Its bits are those of a text from somewhere on, and more of them. */
export function bloomDigitsOf(bits: BitText, from = 0, more: BitText = ''): string {
  showBits(bits, from)
  showBits(more, 0)
  const text = digits.toString('latin1')
  hideBits(bits, from)
  hideBits(more, 0)
  return text
}

function showBits(bits: BitText, from: number): void {
  for (let at = from; at < bits.length; at += placeLength) {
    const bit = placeAt(bits, at)
    const place = digitCount - 1 - (bit >> 2)
    values[place]! |= 1 << (bit & 3)
    digits[place] = digitCodes[values[place]!]!
  }
}

function hideBits(bits: BitText, from: number): void {
  for (let at = from; at < bits.length; at += placeLength) {
    const place = digitCount - 1 - (placeAt(bits, at) >> 2)
    values[place] = 0
    digits[place] = zeroDigit
  }
}

/** Some 7 MB. */
const knownMax = 65_536

/** Bits of what occurs in logs again and again: signatures, tokens and busy accounts, each of which costs a hash. */
class KnownBits {
  readonly #bytes: number
  /** By hex digits. */
  readonly #known = new Map<string, BitText>()

  /** `bytes`: how long items are; leading zeros may lack. */
  constructor(bytes: number) {
    this.#bytes = bytes
  }

  of(digitsOfItem: string): BitText {
    const known = this.#known.get(digitsOfItem)
    if (known !== undefined) return known
    const bits = placesOf(Buffer.from(digitsOfItem.padStart(2 * this.#bytes, '0'), 'hex'))
      .map(textOfPlace)
      .join('')
    if (this.#known.size === knownMax) this.#known.clear()
    // A text of its own: what is given may be a piece of a long one, which would be kept with it.
    this.#known.set(Buffer.from(digitsOfItem, 'latin1').toString('latin1'), bits)
    return bits
  }
}

const addressBits = new KnownBits(evmAddressBytes)
const topicBits = new KnownBits(wordBytes)

/** Of an address as hex digits. */
export function addressBitsOf(address: string): BitText {
  return addressBits.of(address)
}

/** By id: tokens are few, and their addresses are long. */
const longZeroBits = new Map<bigint, BitText>()
const longZeroMax = 4_096

/** Of the address that an entity's number stands for. */
export function longZeroBitsOf(id: bigint): BitText {
  let bits = longZeroBits.get(id)
  if (bits === undefined) {
    bits = addressBits.of(longZeroDigits(id))
    if (longZeroBits.size === longZeroMax) longZeroBits.clear()
    longZeroBits.set(id, bits)
  }
  return bits
}

/** Of a topic as trimmed hex digits. */
export function topicBitsOf(topic: string): BitText {
  return topicBits.of(topic)
}

/** Of the three bits that stand for an address or a topic of a full word. */
function placesOf(item: Uint8Array): number[] {
  const hash = keccak256(item)
  return [hash.readUInt16BE(0) & 2047, hash.readUInt16BE(2) & 2047, hash.readUInt16BE(4) & 2047]
}
