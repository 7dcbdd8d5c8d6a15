import { encode } from '#src/simulator/codec.ts'
import { Prng } from '#src/simulator/prng.ts'
import { aggregateOf, type SignedBy } from '#src/simulator/tss/aggregate.ts'
import { historyProofKey, nodeKey, signKeyHash } from '#src/simulator/tss/node-keys.ts'
import { openScheme, type SigningScheme, signatureBy } from '#src/simulator/tss/signing-scheme.ts'
import { keyHash } from '#src/tss/binding/key-hash.ts'
import type { Generation } from '#src/tss/generations.ts'
import { hashToField } from '#src/tss/hash-to-field.ts'
import { signatureAt } from '#src/tss/hints/signature.ts'
import { historyKeyBytes } from '#src/tss/ledger.ts'
import { ledgerNodesMax, nodeListHash } from '#src/tss/node-list-hash.ts'
import { blsOrder, jubjubOrder } from '#src/tss/numbers.ts'
import { openPairings } from '#src/tss/pairings/open.ts'
import type { Pairings } from '#src/tss/pairings/pairings.ts'

export interface SimulatedLedgerOptions {
  /** Equal seeds give equal bytes. Everything secret follows from it, so it protects nothing. */
  readonly seed: string
  /** Of the nodes with the ids 0, 1, ...; up to 128 whole numbers. */
  readonly weights: readonly number[]
  /** Release of the network's library whose rules are followed; 1 unless given. */
  readonly generation?: Generation
  /** Unless given, the fastest that loads. All give the same bytes. */
  readonly pairings?: Pairings
}

/** What a simulated network publishes of itself, and its signature. */
export interface SimulatedLedger {
  /** A serialized LedgerIdPublicationTransactionBody, for the first block. */
  readonly publication: Uint8Array
  /** The signature of a block with this hash by nodes with more than half of the weight; 2,920 bytes. Which nodes depends on the hash. */
  sign(blockHash: Uint8Array): Uint8Array
}

const slotsMin = 8
/** So many groups of nodes take turns. What they sign has the same bytes but for one point, which is what makes signing fast. */
const groups = 16
const publicationType = 'com.hedera.hapi.node.tss.LedgerIdPublicationTransactionBody'

/** Makes the keys of a network of which every secret is known. */
export async function createSimulatedLedger(options: SimulatedLedgerOptions): Promise<SimulatedLedger> {
  const { seed, weights, generation = 1 } = options
  requireWeights(weights)
  const pairings = options.pairings ?? (await openPairings('fast'))
  const scheme = openScheme(
    {
      slots: Math.max(slotsMin, 2 ** Math.ceil(Math.log2(weights.length + 1))),
      tau: secretOf(seed, 'tau', blsOrder),
      secrets: weights.map((_, node) => secretOf(seed, `node ${node}`, blsOrder)),
      weights: weights.map(BigInt),
    },
    pairings,
  )
  const { publication, binding } = foundLedger(scheme, options)
  const signedBy: (SignedBy | undefined)[] = []
  return {
    publication,
    sign: (blockHash) => {
      const group = new Prng(`${seed}/group of ${Buffer.from(blockHash).toString('hex')}`).below(groups)
      signedBy[group] ??= aggregateOf(scheme, majority(weights, `${seed}/group ${group}`), generation)
      const { bytes, secret } = signedBy[group]
      const signature = Buffer.concat([scheme.key, bytes, binding])
      signature.set(signatureBy(secret, blockHash, pairings), scheme.key.length + signatureAt)
      return signature
    },
  }
}

/** The list of nodes, and their signature of the key of `scheme`. */
function foundLedger(
  scheme: SigningScheme,
  { seed, weights, generation = 1 }: SimulatedLedgerOptions,
): { publication: Uint8Array; binding: Uint8Array } {
  const keys = weights.map((_, node) => nodeKey(secretOf(seed, `history key ${node}`, jubjubOrder)))
  const nodes = keys.map(({ point }, node) => {
    const { x, y } = point.toAffine()
    return { nodeId: BigInt(node), weight: BigInt(weights[node] as number), x, y }
  })
  const ledgerId = nodeListHash(nodes)
  const hashed = keyHash(scheme.key, generation)
  const signers = majority(weights, `${seed}/founders`).map((at) => {
    const nonce = secretOf(seed, `nonce ${at} for ${hashed} of ${ledgerId.toString('hex')}`, jubjubOrder)
    return { at, key: keys[at] as (typeof keys)[0], nonce }
  })
  const nodeContributions = keys.map((key, nodeId) => ({
    nodeId,
    weight: weights[nodeId] as number,
    historyProofKey: historyProofKey(key, secretOf(seed, `proof of history key ${nodeId}`, jubjubOrder), generation),
  }))
  // Nodes that never change need no key to check histories with.
  const historyProofVerificationKey = Buffer.alloc(historyKeyBytes)
  return {
    publication: encode(publicationType, { ledgerId, historyProofVerificationKey, nodeContributions }),
    binding: signKeyHash(ledgerId, hashed, signers),
  }
}

/** Nodes with more than half of the weight, ascending: as many as that takes in a random order, and some of the others. */
export function majority(weights: readonly number[], seed: string): number[] {
  const random = new Prng(seed)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const order = weights.map((_, node) => ({ node, key: random.next() })).sort((a, b) => a.key - b.key)
  const chosen: number[] = []
  let weight = 0
  for (const { node } of order) {
    if (2 * weight > total && !random.chance(0.5)) continue
    chosen.push(node)
    weight += weights[node] as number
  }
  return chosen.sort((a, b) => a - b)
}

function requireWeights(weights: readonly number[]): void {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const areCounts = weights.every((weight) => Number.isSafeInteger(weight) && weight >= 0)
  if (weights.length > ledgerNodesMax || !areCounts || total === 0 || !Number.isSafeInteger(2 * total)) {
    throw new RangeError(`a ledger has 1 to ${ledgerNodesMax} nodes with whole weights, not ${weights.join(', ')}`)
  }
}

function secretOf(seed: string, purpose: string, order: bigint): bigint {
  return hashToField(Buffer.from(`${seed}/${purpose}`), 'simulated ledger', order)
}
