import { bls12_381 } from '@noble/curves/bls12-381.js'
import { slotPoints, slotShares } from '#src/simulator/tss/polynomials.ts'
import type { KeyTranscript } from '#src/tss/hints/challenges.ts'
import { hintsKeyBytes, omegaOf } from '#src/tss/hints/key.ts'
import { blsOrder, littleEndianBytes, modulo, powerOf, scalarBytes } from '#src/tss/numbers.ts'
import { compress } from '#src/tss/pairings/encoding.ts'
import type { G1Point, G2Point, Pairings } from '#src/tss/pairings/pairings.ts'

export interface SchemeOptions {
  /** A power of two, greater than the number of signers. */
  readonly slots: number
  /** The point at which polynomials are committed to. Real networks draw it together so that nobody knows it; whoever does can sign anything. */
  readonly tau: bigint
  /** One per signer. */
  readonly secrets: readonly bigint[]
  readonly weights: readonly bigint[]
}

/** A hinTS scheme whose secrets are all known: what takes a network hints and a ceremony is a number here. */
export interface SigningScheme extends SchemeOptions {
  readonly pairings: Pairings
  readonly g0: G1Point
  /** The verification key, 1,096 bytes. */
  readonly key: Buffer
  readonly transcript: KeyTranscript
  readonly points: readonly bigint[]
  /** Of each slot at tau. */
  readonly shares: readonly bigint[]
  /** The value of x^n - 1 at tau. */
  readonly zero: bigint
}

export function openScheme(options: SchemeOptions, pairings: Pairings): SigningScheme {
  const { slots, tau, secrets, weights } = options
  const points = slotPoints(slots, omegaOf(slots))
  const shares = slotShares(points, tau)
  const zero = modulo(powerOf(tau, BigInt(slots), blsOrder) - 1n, blsOrder)
  const g0 = pairings.readG1(bls12_381.G1.Point.BASE.toBytes(false), 'the generator', impossible)
  const h0 = pairings.readG2(bls12_381.G2.Point.BASE.toBytes(false), 'the generator', impossible)
  const g1 = (factor: bigint) => pairings.writeG1(pairings.sumG1([g0], [factor]))
  const g2 = (factor: bigint) => pairings.writeG2(pairings.sumG2([h0], [factor]))
  const weighted = (factors: readonly bigint[]) =>
    factors.reduce((sum, factor, at) => (sum + factor * (shares[at] as bigint)) % blsOrder, 0n)
  const [h1, w, sk] = [g2(tau), g1(weighted(weights)), g2(weighted(secrets))]
  const total = weights.reduce((sum, weight) => sum + weight, 0n)
  const key = Buffer.concat([
    littleEndianBytes(BigInt(slots), 8),
    littleEndianBytes(total, scalarBytes),
    ...[g1(1n), g2(1n), h1, g1(shares[slots - 1] as bigint), w, sk, g2(zero)],
  ])
  if (key.length !== hintsKeyBytes) throw new Error(`a key has ${hintsKeyBytes} bytes, not ${key.length}`)
  const transcript = { skH1: Buffer.concat([compress(sk), compress(h1)]), w: compress(w) }
  return { ...options, pairings, g0, key, transcript, points, shares, zero }
}

/** The signature of a message by one number. */
export function signatureBy(secret: bigint, message: Uint8Array, pairings: Pairings): Uint8Array {
  const point: G2Point = pairings.hashToG2(message)
  return pairings.writeG2(pairings.sumG2([point], [secret]))
}

function impossible(reason: string): never {
  throw new Error(reason)
}
