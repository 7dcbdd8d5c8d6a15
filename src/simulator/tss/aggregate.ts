import { divided, slotShares, valueAtShares } from '#src/simulator/tss/polynomials.ts'
import type { SigningScheme } from '#src/simulator/tss/signing-scheme.ts'
import type { Generation } from '#src/tss/generations.ts'
import { mergedValues, mergingFactor, openingPoint } from '#src/tss/hints/challenges.ts'
import { hintsSignatureBytes, type PointName, pointAt, type ValueName, valueAt } from '#src/tss/hints/signature.ts'
import { blsOrder, littleEndianBytes, modulo, powerOf, scalarBytes } from '#src/tss/numbers.ts'
import { compress } from '#src/tss/pairings/encoding.ts'

/** All of a signature by certain signers but the one point that depends on the message. */
export interface SignedBy {
  /** 1,632 bytes, zeros where that point belongs. */
  readonly bytes: Uint8Array
  /** Times the hash of the message, it is that point. */
  readonly secret: bigint
}

/** Values in the slots of the polynomials that say who signed. */
interface Course {
  /** 1 for who signed and for the last slot. */
  readonly bits: readonly bigint[]
  /** Weights of all; in the last slot, less what signed. */
  readonly weights: readonly bigint[]
  /** Running sum of the weights that signed, 0 at the end. */
  readonly sums: readonly bigint[]
  readonly weight: bigint
}

type Merged = (typeof mergedValues)[number]

/** `signers` are slots. Nothing here asks whether they have enough weight. */
export function aggregateOf(scheme: SigningScheme, signers: readonly number[], generation: Generation): SignedBy {
  const { slots, secrets, shares, tau } = scheme
  const course = courseOf(scheme, signers)
  const atTau = valuesOf(scheme, course, tau, shares)
  const share = divided(1n, BigInt(slots))
  const secretSum = signers.reduce((sum, slot) => sum + (secrets[slot] as bigint), 0n)
  const secret = (secretSum * share) % blsOrder
  const bytes = Buffer.alloc(hintsSignatureBytes)
  const set = (name: PointName, factor: bigint) => bytes.set(pointOf(scheme, factor), pointAt[name])
  const setValue = (name: ValueName, value: bigint) => bytes.set(littleEndianBytes(value, scalarBytes), valueAt[name])
  for (const [name, factor] of Object.entries(commitmentsOf(scheme, signers, atTau))) set(name as PointName, factor)
  set('aggPk', secret)
  setValue('weight', course.weight)

  const point = openingPoint(scheme.transcript, bytes, generation)
  const sharesAtPoint = slotShares(scheme.points, point)
  const atPoint = valuesOf(scheme, course, point, sharesAtPoint)
  const sumBefore = valueAtShares(course.sums, shifted(sharesAtPoint))
  for (const name of mergedValues) setValue(name, atPoint[name])
  setValue('ParSumBefore', sumBefore)

  const adjusted = () => compress(pointOf(scheme, atTau.W))
  const merging = mergingFactor(bytes, { generation, point, adjusted })
  const before = divided(point, scheme.points[1] as bigint)
  set('piR', divided(mergedDifference(atTau, atPoint, merging), modulo(tau - point, blsOrder)))
  set('piRw', divided(atTau.ParSum - sumBefore, modulo(tau - before, blsOrder)))
  return { bytes, secret }
}

function courseOf({ slots, weights }: SigningScheme, signers: readonly number[]): Course {
  const signed = new Set(signers)
  const bits = Array.from({ length: slots }, (_, slot) => (signed.has(slot) || slot === slots - 1 ? 1n : 0n))
  const weight = signers.reduce((sum, slot) => sum + (weights[slot] as bigint), 0n)
  const adjusted = bits.map((_, slot) => (slot === slots - 1 ? blsOrder - weight : (weights[slot] ?? 0n)))
  let sum = 0n
  const sums = bits.map((bit, slot) => {
    sum = (sum + bit * (adjusted[slot] as bigint)) % blsOrder
    return sum
  })
  return { bits, weights: adjusted, sums, weight }
}

/** Values of the polynomials at `x`; each Q is what it divides over x^n - 1. */
function valuesOf(
  { slots }: SigningScheme,
  { bits, weights, sums }: Course,
  x: bigint,
  shares: readonly bigint[],
): Record<Merged, bigint> {
  const [b, w, sum, before] = [
    valueAtShares(bits, shares),
    valueAtShares(weights, shares),
    valueAtShares(sums, shares),
    valueAtShares(sums, shifted(shares)),
  ]
  const last = shares[slots - 1] as bigint
  const zero = modulo(powerOf(x, BigInt(slots), blsOrder) - 1n, blsOrder)
  return {
    ParSum: sum,
    W: w,
    B: b,
    Q1: divided(sum - before - w * b, zero),
    Q2: divided(b * b - b, zero),
    Q3: divided(last * sum, zero),
    Q4: divided(last * (b - 1n), zero),
  }
}

/** What is committed to besides the key and the openings, as factors of the generator. */
function commitmentsOf(
  { slots, secrets, shares, tau, zero }: SigningScheme,
  signers: readonly number[],
  { ParSum, B, Q1, Q2, Q3, Q4 }: Record<Merged, bigint>,
): Record<Exclude<PointName, 'aggPk' | 'piR' | 'piRw'>, bigint> {
  const share = divided(1n, BigInt(slots))
  const secretOf = (slot: number) => secrets[slot] as bigint
  const signed = signers.reduce((sum, slot) => sum + secretOf(slot) * (shares[slot] as bigint), 0n)
  const QxTau = modulo(signed - share * signers.reduce((sum, slot) => sum + secretOf(slot), 0n), blsOrder)
  const all = valueAtShares(secrets, shares)
  return { B, ParSum, Q1, Q2, Q3, Q4, QxTau, Qx: divided(QxTau, tau), Qz: divided(B * all - signed, zero) }
}

function mergedDifference(atTau: Record<Merged, bigint>, atPoint: Record<Merged, bigint>, merging: bigint): bigint {
  return mergedValues.reduceRight(
    (sum, name) => (sum * merging + modulo(atTau[name] - atPoint[name], blsOrder)) % blsOrder,
    0n,
  )
}

/** Shares at one slot before: each slot has that of the next one. */
function shifted(shares: readonly bigint[]): bigint[] {
  return [...shares.slice(1), shares[0] as bigint]
}

function pointOf({ pairings, g0 }: SigningScheme, factor: bigint): Uint8Array {
  return pairings.writeG1(pairings.sumG1([g0], [factor]))
}
