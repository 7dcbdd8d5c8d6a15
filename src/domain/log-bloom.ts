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
  setBits(bloom, address)
  for (const topic of topics) if (topic !== null) setBits(bloom, paddedWord(topic))
  return bloom
}

function setBits(bloom: Buffer, item: Uint8Array): void {
  for (const bit of bitsOf(item)) bloom[bloomBytes - 1 - (bit >> 3)]! |= 1 << (bit & 7)
}

/** The three bits that stand for an address or a topic. */
export function bitsOf(item: Uint8Array): readonly [number, number, number] {
  const hash = keccak256(item)
  return [hash.readUInt16BE(0) & 2047, hash.readUInt16BE(2) & 2047, hash.readUInt16BE(4) & 2047]
}

/** Whether a filter may hold an address or a topic of a full word. */
export function mayHold(bloom: Uint8Array, item: Uint8Array): boolean {
  return bitsOf(item).every((bit) => (bloom[bloomBytes - 1 - (bit >> 3)]! & (1 << (bit & 7))) !== 0)
}
