import { rotationMessage, schnorrBytes, schnorrChallenge } from '#src/tss/binding/schnorr.ts'
import type { Generation } from '#src/tss/generations.ts'
import { Jubjub, type JubjubPoint, jubjubBytes } from '#src/tss/jubjub.ts'
import { jubjubOrder, littleEndianBytes, modulo, scalarBytes } from '#src/tss/numbers.ts'
import { knowledgeChallenge } from '#src/tss/proof-of-knowledge.ts'

/** A node's key for what nodes sign together about themselves. */
export interface NodeKey {
  readonly secret: bigint
  readonly point: JubjubPoint
}

export function nodeKey(secret: bigint): NodeKey {
  return { secret, point: Jubjub.BASE.multiply(secret) }
}

/** As the ledger publishes it: the key with a proof that its secret is known. `nonce` is used for nothing else. */
export function historyProofKey({ secret, point }: NodeKey, nonce: bigint, generation: Generation): Buffer {
  const commitment = Jubjub.BASE.multiply(nonce)
  const challenge = knowledgeChallenge(point, commitment, generation)
  const response = modulo(nonce + challenge * secret, jubjubOrder)
  return Buffer.concat([
    jubjubBytes(point),
    jubjubBytes(commitment),
    littleEndianBytes(challenge, scalarBytes),
    littleEndianBytes(response, scalarBytes),
  ])
}

/** A node that signs, its place in the ledger, and a number that it uses for this message alone. */
export interface KeySigner {
  readonly at: number
  readonly key: NodeKey
  readonly nonce: bigint
}

/** The aggregate that ties the key with this hash to the ledger, 192 bytes. */
export function signKeyHash(ledgerId: Uint8Array, keyHash: bigint, signers: readonly KeySigner[]): Buffer {
  const sum = (points: readonly JubjubPoint[]) => points.reduce((total, point) => total.add(point), Jubjub.ZERO)
  const keys = sum(signers.map(({ key }) => key.point))
  const commitments = sum(signers.map(({ nonce }) => Jubjub.BASE.multiply(nonce)))
  const challenge = schnorrChallenge(keys, commitments, rotationMessage(ledgerId, keyHash))
  const response = signers.reduce((total, { nonce, key }) => total + nonce - challenge * key.secret, 0n)
  const bits = Buffer.alloc(schnorrBytes - 2 * scalarBytes)
  for (const { at } of signers) bits[at] = 1
  return Buffer.concat([
    bits,
    littleEndianBytes(modulo(response, jubjubOrder), scalarBytes),
    littleEndianBytes(challenge, scalarBytes),
  ])
}
