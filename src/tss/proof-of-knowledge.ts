import type { Fail } from '#src/domain/field-reader.ts'
import { type Generation, generations } from '#src/tss/generations.ts'
import { hashToField } from '#src/tss/hash-to-field.ts'
import { compressedJubjub, Jubjub, type JubjubPoint, jubjubPointBytes, readJubjubPoint } from '#src/tss/jubjub.ts'
import { jubjubOrder, littleEndianOf, scalarBytes } from '#src/tss/numbers.ts'

/** Public key, commitment, challenge, response. */
export const historyProofKeyBytes = 2 * jubjubPointBytes + 2 * scalarBytes

const tags: Readonly<Record<Generation, string>> = { 1: '', 2: 'HieroTSSWrapsSchnorrKeyPoK' }

/**
 * The public key of a node. The rest proves that the node knows the secret of it: else a node could choose its key so that it cancels
 * those of the others in a sum. A proof of either generation does.
 */
export function readHistoryProofKey(bytes: Uint8Array, fail: Fail): JubjubPoint {
  const key = readJubjubPoint(bytes.subarray(0, jubjubPointBytes), 'its key', fail)
  const commitment = readJubjubPoint(
    bytes.subarray(jubjubPointBytes, 2 * jubjubPointBytes),
    'the commitment of its proof of knowledge',
    fail,
  )
  const challenge = littleEndianOf(bytes.subarray(2 * jubjubPointBytes, -scalarBytes))
  const response = littleEndianOf(bytes.subarray(-scalarBytes))
  const isChallenge = generations.some((one) => knowledgeChallenge(key, commitment, one) === challenge)
  const isHeld =
    isChallenge &&
    response < jubjubOrder &&
    Jubjub.BASE.multiplyUnsafe(response).equals(commitment.add(key.multiplyUnsafe(challenge)))
  if (!isHeld) throw fail('its proof of knowledge of the secret key does not hold')
  return key
}

export function knowledgeChallenge(key: JubjubPoint, commitment: JubjubPoint, generation: Generation): bigint {
  const transcript = Buffer.concat([Jubjub.BASE, key, commitment].map(compressedJubjub))
  return hashToField(transcript, tags[generation], jubjubOrder)
}
