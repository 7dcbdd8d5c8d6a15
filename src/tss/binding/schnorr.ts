import { blake2s } from '@noble/hashes/blake2.js'
import { Jubjub, type JubjubPoint, jubjubBytes } from '#src/tss/jubjub.ts'
import { keyOf, type Ledger } from '#src/tss/ledger.ts'
import { ledgerNodesMax } from '#src/tss/node-list-hash.ts'
import { jubjubOrder, littleEndianBytes, littleEndianOf, scalarBytes } from '#src/tss/numbers.ts'
import type { ProofFail } from '#src/tss/proof-failure.ts'

/** A byte per node, response, challenge. */
export const schnorrBytes = ledgerNodesMax + 2 * scalarBytes
const challengeBytes = 31

/**
 * Checks that nodes of the ledger with more than half of its weight signed the key, whose hash is given. Such a signature is only made
 * by the first nodes of a network.
 */
export function checkSchnorr(ledger: Ledger, keyHash: bigint, aggregate: Uint8Array, fail: ProofFail): void {
  const signers = readSigners(ledger, aggregate.subarray(0, ledgerNodesMax), fail)
  const response = littleEndianOf(aggregate.subarray(ledgerNodesMax, -scalarBytes))
  const challenge = littleEndianOf(aggregate.subarray(-scalarBytes))
  if (response >= jubjubOrder || challenge >= jubjubOrder) {
    throw fail('encoding', 'a number of its Schnorr signature is beyond its field')
  }
  const weight = signers.reduce((sum, { weight }) => sum + weight, 0n)
  if (2n * weight <= ledger.totalWeight) {
    throw fail('weight', `its key is signed by weight ${weight} of ${ledger.totalWeight}, and more than half is needed`)
  }
  const key = signers.reduce((sum, node) => sum.add(keyOf(node)), Jubjub.ZERO)
  const commitment = Jubjub.BASE.multiplyUnsafe(response).add(key.multiplyUnsafe(challenge))
  if (schnorrChallenge(key, commitment, rotationMessage(ledger.id, keyHash)) !== challenge) {
    throw fail('binding', 'its key is not signed by the nodes of the ledger that it names')
  }
}

/** What the nodes sign: id of the ledger and hash of the key. */
export function rotationMessage(ledgerId: Uint8Array, keyHash: bigint): Buffer {
  return Buffer.concat([ledgerId, littleEndianBytes(keyHash, scalarBytes)])
}

export function schnorrChallenge(key: JubjubPoint, commitment: JubjubPoint, message: Uint8Array): bigint {
  const digest = blake2s(Buffer.concat([jubjubBytes(key), jubjubBytes(commitment), message]))
  return littleEndianOf(digest.subarray(0, challengeBytes)) % jubjubOrder
}

function readSigners({ nodes }: Ledger, bits: Uint8Array, fail: ProofFail): Ledger['nodes'][number][] {
  if (bits.some((bit) => bit > 1)) throw fail('encoding', 'a signer of its Schnorr signature is neither marked 0 nor 1')
  if (bits.subarray(nodes.length).some((bit) => bit !== 0)) {
    throw fail('encoding', `its Schnorr signature names signers beyond the ${nodes.length} nodes of the ledger`)
  }
  return nodes.filter((_, at) => bits[at] === 1)
}
