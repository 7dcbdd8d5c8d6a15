import { evmAddressBytes } from '#src/domain/evm-address.ts'
import { wordBytes } from '#src/domain/evm-words.ts'
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
  addToBloom(bloom, address, topics)
  return bloom
}

/** Adds a log to the filter of several. */
export function addToBloom(bloom: Buffer, address: Uint8Array, topics: readonly (Uint8Array | null)[]): void {
  const [addressDigits = '', ...topicDigits] = hexDigitsOf([address, ...topics.filter((topic) => topic !== null)])
  for (const bits of bitsOfLog(addressDigits, topicDigits))
    for (const bit of bits) bloom[bloomBytes - 1 - (bit >> 3)]! |= 1 << (bit & 7)
}

/** A filter that holds what either of two does; empty ones hold nothing, and may be shorter. */
export function uniteBlooms(one: Uint8Array, other: Uint8Array): Buffer {
  const union = Buffer.alloc(bloomBytes)
  for (const bloom of [one, other])
    for (let at = 0, to = bloomBytes - bloom.length; at < bloom.length; at++, to++) union[to]! |= bloom[at]!
  return union
}

const digitCount = 2 * bloomBytes
const zeroDigit = 0x30
const digitCodes = Buffer.from('0123456789abcdef')
/** The digits of a filter in the making, between its uses all zero. */
const digits = Buffer.alloc(digitCount, zeroDigit)
const values = new Uint8Array(digitCount)

/** The filter of one log as hex digits, from those of its address and its topics: few of them are not zero. */
export function bloomDigitsOf(address: string, topics: readonly string[]): string {
  const log = bitsOfLog(address, topics)
  for (const bits of log)
    for (const bit of bits) {
      const place = digitCount - 1 - (bit >> 2)
      values[place]! |= 1 << (bit & 3)
      digits[place] = digitCodes[values[place]!]!
    }
  const text = digits.toString('latin1')
  for (const bits of log)
    for (const bit of bits) {
      const place = digitCount - 1 - (bit >> 2)
      values[place] = 0
      digits[place] = zeroDigit
    }
  return text
}

type Bits = readonly [number, number, number]

function bitsOfLog(address: string, topics: readonly string[]): Bits[] {
  const log = [addressBits.of(address)]
  for (const topic of topics) log.push(topicBits.of(topic))
  return log
}

const knownMax = 16_384

/** Bits of what occurs in logs again and again: signatures, tokens and busy accounts, each of which costs a hash. */
class KnownBits {
  readonly #bytes: number
  /** By hex digits. */
  readonly #known = new Map<string, Bits>()

  /** `bytes`: how long items are; leading zeros may lack. */
  constructor(bytes: number) {
    this.#bytes = bytes
  }

  of(digitsOfItem: string): Bits {
    const known = this.#known.get(digitsOfItem)
    if (known !== undefined) return known
    const bits = bitsOf(Buffer.from(digitsOfItem.padStart(2 * this.#bytes, '0'), 'hex'))
    if (this.#known.size === knownMax) this.#known.clear()
    // A text of its own: what is given may be a piece of a long one, which would be kept with it.
    this.#known.set(Buffer.from(digitsOfItem, 'latin1').toString('latin1'), bits)
    return bits
  }
}

const addressBits = new KnownBits(evmAddressBytes)
const topicBits = new KnownBits(wordBytes)

/** The three bits that stand for an address or a topic of a full word. */
function bitsOf(item: Uint8Array): Bits {
  const hash = keccak256(item)
  return [hash.readUInt16BE(0) & 2047, hash.readUInt16BE(2) & 2047, hash.readUInt16BE(4) & 2047]
}

/** Whether a filter may hold an address or a topic of a full word. */
export function mayHold(bloom: Uint8Array, item: Uint8Array): boolean {
  return bitsOf(item).every((bit) => (bloom[bloomBytes - 1 - (bit >> 3)]! & (1 << (bit & 7))) !== 0)
}
