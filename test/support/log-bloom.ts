import { keccak256 } from '#src/domain/keccak.ts'
import { bloomBytes } from '#src/domain/log-bloom.ts'

/** Whether a filter may hold an address or a topic of a full word, as who searches logs by filters finds out. */
export function mayHold(bloom: Uint8Array, item: Uint8Array): boolean {
  const hash = keccak256(item)
  const bits = [0, 2, 4].map((place) => hash.readUInt16BE(place) & 2047)
  return bits.every((bit) => (bloom[bloomBytes - 1 - (bit >> 3)]! & (1 << (bit & 7))) !== 0)
}
