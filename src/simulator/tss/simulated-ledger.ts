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
  /** So many groups of nodes take turns, 16 unless given. What one signs has the same bytes but for one point, which is what makes signing fast. */
  readonly groups?: number
}

/** What a simulated network publishes of itself, and its signature. */
export interface SimulatedLedger {
  /** A serialized LedgerIdPublicationTransactionBody, for the first block. */
  readonly publication: Uint8Array
  /**
   * The signature of a block with this hash by nodes with more than half of the weight; 2,920 bytes. Which nodes depends on the hash. `key`: which
   * of the keys that they have one after the other, from 0, which it is unless given.
   */
  sign(blockHash: Uint8Array, key?: number): Uint8Array
}

const slotsMin = 8
const defaultGroups = 16
const publicationType = 'com.hedera.hapi.node.tss.LedgerIdPublicationTransactionBody'

/** Makes the keys of a network of which every secret is known. */
export async function createSimulatedLedger(options: SimulatedLedgerOptions): Promise<SimulatedLedger> {
  const { seed, weights, generation = 1, groups = defaultGroups } = options
  requireWeights(weights)
  const pairings = options.pairings ?? (await openPairings('fast'))
  const { publication, bind } = foundLedger(options)
  const keys: (HeldKey | undefined)[] = []
  return {
    publication,
    sign: (blockHash, number = 0) => {
      keys[number] ??= openKey(options, number, pairings, bind)
      const { scheme, binding, signedBy } = keys[number]
      const group = new Prng(`${seed}/group of ${Buffer.from(blockHash).toString('hex')}`).below(groups)
      signedBy[group] ??= aggregateOf(scheme, majority(weights, `${seed}/group ${group}`), generation)
      const { bytes, secret } = signedBy[group]
      const signature = Buffer.concat([scheme.key, bytes, binding])
      signature.set(signatureBy(secret, blockHash, pairings), scheme.key.length + signatureAt)
      return signature
    },
  }
}

/** A key of the nodes, their signature of it, and what has the same bytes whenever a group signs with it. */
interface HeldKey {
  readonly scheme: SigningScheme
  readonly binding: Uint8Array
  readonly signedBy: (SignedBy | undefined)[]
}

/** Signs the hash of a key of the nodes. */
type Bind = (hashed: bigint) => Uint8Array

function openKey(
  { seed, weights, generation = 1 }: SimulatedLedgerOptions,
  number: number,
  pairings: Pairings,
  bind: Bind,
): HeldKey {
  const prefix = number === 0 ? '' : `key ${number}, `
  const scheme = openScheme(
    {
      slots: Math.max(slotsMin, 2 ** Math.ceil(Math.log2(weights.length + 1))),
      tau: secretOf(seed, 'tau', blsOrder),
      secrets: weights.map((_, node) => secretOf(seed, `${prefix}node ${node}`, blsOrder)),
      weights: weights.map(BigInt),
    },
    pairings,
  )
  return { scheme, binding: bind(keyHash(scheme.key, generation)), signedBy: [] }
}

/** The list of nodes, and how they sign their keys. */
function foundLedger({ seed, weights, generation = 1 }: SimulatedLedgerOptions): {
  publication: Uint8Array
  bind: Bind
} {
  const keys = weights.map((_, node) => nodeKey(secretOf(seed, `history key ${node}`, jubjubOrder)))
  const nodes = keys.map(({ point }, node) => {
    const { x, y } = point.toAffine()
    return { nodeId: BigInt(node), weight: BigInt(weights[node] as number), x, y }
  })
  const ledgerId = nodeListHash(nodes)
  const nodeContributions = keys.map((key, nodeId) => ({
    nodeId,
    weight: weights[nodeId] as number,
    historyProofKey: historyProofKey(key, secretOf(seed, `proof of history key ${nodeId}`, jubjubOrder), generation),
  }))
  // Nodes that never change need no key to check histories with.
  const historyProofVerificationKey = Buffer.alloc(historyKeyBytes)
  return {
    publication: encode(publicationType, { ledgerId, historyProofVerificationKey, nodeContributions }),
    bind: (hashed) => {
      const signers = majority(weights, `${seed}/founders`).map((at) => {
        const nonce = secretOf(seed, `nonce ${at} for ${hashed} of ${ledgerId.toString('hex')}`, jubjubOrder)
        return { at, key: keys[at] as (typeof keys)[0], nonce }
      })
      return signKeyHash(ledgerId, hashed, signers)
    },
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
