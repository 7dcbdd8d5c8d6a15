import { asBuffer } from '#src/domain/bytes.ts'
import { paddedWord } from '#src/domain/evm-words.ts'
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
  setBits(bloom, address)
  for (const topic of topics) if (topic !== null) setBits(bloom, paddedWord(topic))
}

/** A filter that holds what either of two does; empty ones hold nothing, and may be shorter. */
export function uniteBlooms(one: Uint8Array, other: Uint8Array): Buffer {
  const union = Buffer.alloc(bloomBytes)
  for (const bloom of [one, other])
    for (let at = 0, to = bloomBytes - bloom.length; at < bloom.length; at++, to++) union[to]! |= bloom[at]!
  return union
}

function setBits(bloom: Buffer, item: Uint8Array): void {
  for (const bit of bitsOf(item)) bloom[bloomBytes - 1 - (bit >> 3)]! |= 1 << (bit & 7)
}

type Bits = readonly [number, number, number]

/** Bits of what occurs in logs again and again: signatures, tokens and busy accounts, each of which costs a hash. */
const known = new Map<string, Bits>()
const knownMax = 16_384

/** The three bits that stand for an address or a topic. */
export function bitsOf(item: Uint8Array): Bits {
  const key = asBuffer(item).toString('latin1')
  let bits = known.get(key)
  if (bits === undefined) {
    const hash = keccak256(item)
    bits = [hash.readUInt16BE(0) & 2047, hash.readUInt16BE(2) & 2047, hash.readUInt16BE(4) & 2047]
    if (known.size === knownMax) known.clear()
    known.set(key, bits)
  }
  return bits
}

/** Whether a filter may hold an address or a topic of a full word. */
export function mayHold(bloom: Uint8Array, item: Uint8Array): boolean {
  return bitsOf(item).every((bit) => (bloom[bloomBytes - 1 - (bit >> 3)]! & (1 << (bit & 7))) !== 0)
}
