import type { Generation } from '#src/tss/generations.ts'
import { hashToField } from '#src/tss/hash-to-field.ts'
import { bnOrder, littleEndianOf, scalarBytes } from '#src/tss/numbers.ts'
import { poseidonOf } from '#src/tss/poseidon.ts'

/** What both forms of binding have of the key of a signature: an element of the field of BN254's order. */
export function keyHash(key: Uint8Array, generation: Generation): bigint {
  if (generation === 2) return hashToField(key, 'HieroTSSWrapsHintsVkHash', bnOrder)
  const chunks: bigint[] = []
  for (let from = 0; from < key.length; from += scalarBytes) {
    chunks.push(littleEndianOf(key.subarray(from, from + scalarBytes)) % bnOrder)
  }
  return poseidonOf(chunks)
}
