import { createHash } from 'node:crypto'
import type { KeyTranscript } from '#src/tss/hints/challenges.ts'
import { blsOrder, littleEndianOf, powerOf, weightLimit } from '#src/tss/numbers.ts'
import { compress, g1Bytes, g2Bytes } from '#src/tss/pairings/encoding.ts'
import type { G1Point, G2Point, Pairings } from '#src/tss/pairings/pairings.ts'
import type { ProofFail } from '#src/tss/proof-failure.ts'

export const hintsKeyBytes = 1_096

/** Has the order 2^32. */
const root = 0x16a2a19edfe81f20d09b681922c813b4b63683508c2280b93829971f439f0d2bn
const rootExponent = 32

/** Offsets of the points of G1 and of G2. */
const g1At = { g0: 40, ln1: 520, w: 616 } as const
const g2At = { h0: 136, h1: 328, sk: 712, z: 904 } as const

/**
 * Verification key of a hinTS scheme. Polynomials have values in n slots, at the powers of omega; one slot per signer, the last one for the
 * scheme itself. A capital letter is a polynomial at a point that nobody knows, times a generator.
 */
export interface HintsKey {
  readonly slots: number
  readonly omega: bigint
  readonly totalWeight: bigint
  readonly g0: G1Point
  readonly h0: G2Point
  readonly h1: G2Point
  /** The polynomial that is 1 in the last slot and else 0. */
  readonly ln1: G1Point
  /** Weights of the signers. */
  readonly w: G1Point
  /** Their secret keys. */
  readonly sk: G2Point
  /** x^n - 1, which is 0 in all slots. */
  readonly z: G2Point
  readonly transcript: KeyTranscript
  /** SHA-256 of its bytes, for caches. */
  readonly digest: Buffer
}

/** Its powers are the points of the slots; `slots` is a power of two. */
export function omegaOf(slots: number): bigint {
  return powerOf(root, 2n ** BigInt(rootExponent) / BigInt(slots), blsOrder)
}

export function readHintsKey(bytes: Uint8Array, pairings: Pairings, fail: ProofFail): HintsKey {
  const slots = littleEndianOf(bytes.subarray(0, 8))
  const totalWeight = littleEndianOf(bytes.subarray(8, 40))
  const exponent = slots.toString(2).length - 1
  if (slots < 2n || slots !== 1n << BigInt(exponent) || exponent > rootExponent) {
    throw fail('encoding', `its key is for ${slots} slots, which is no power of two that the field has roots for`)
  }
  if (totalWeight >= weightLimit) throw fail('encoding', 'the total weight of its key does not fit in 64 bits')
  const invalid = (reason: string) => fail('encoding', reason)
  const g1Part = (name: keyof typeof g1At) => bytes.subarray(g1At[name], g1At[name] + g1Bytes)
  const g2Part = (name: keyof typeof g2At) => bytes.subarray(g2At[name], g2At[name] + g2Bytes)
  const g1 = (name: keyof typeof g1At) => pairings.readG1(g1Part(name), `${name} of its key`, invalid)
  const g2 = (name: keyof typeof g2At) => pairings.readG2(g2Part(name), `${name} of its key`, invalid)
  return {
    slots: Number(slots),
    omega: omegaOf(Number(slots)),
    totalWeight,
    g0: g1('g0'),
    h0: g2('h0'),
    h1: g2('h1'),
    ln1: g1('ln1'),
    w: g1('w'),
    sk: g2('sk'),
    z: g2('z'),
    transcript: { skH1: Buffer.concat([compress(g2Part('sk')), compress(g2Part('h1'))]), w: compress(g1Part('w')) },
    digest: createHash('sha256').update(bytes).digest(),
  }
}
