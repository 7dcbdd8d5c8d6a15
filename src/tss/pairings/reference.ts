import { type CurvePoint, mulAddUnsafe } from '@noble/curves/abstract/curve.js'
import type { IField } from '@noble/curves/abstract/modular.js'
import { bls12_381 } from '@noble/curves/bls12-381.js'
import type { Fail } from '#src/domain/field-reader.ts'
import { g1Bytes, g2Bytes, infinityBytes, numbersOf, readCoordinates } from '#src/tss/pairings/encoding.ts'
import { type G1Point, type G2Point, type Pair, type Pairings, signatureTag } from '#src/tss/pairings/pairings.ts'

const G1 = bls12_381.G1.Point
const G2 = bls12_381.G2.Point
const { Fp, Fp2, Fp12 } = bls12_381.fields
type Point1 = typeof G1.BASE
type Point2 = typeof G2.BASE
type Lines = ReturnType<typeof bls12_381.utils.calcPairingPrecomputes>

/** The half of a pairing that depends on the point of G2 alone. Those of a key serve for every block. */
const linesByPoint = new WeakMap<Point2, Lines>()

/** Plain JavaScript: slow, and without anything that a machine may lack. */
export function openReference(reason?: string): Pairings {
  return {
    name: '@noble/curves',
    ...(reason === undefined ? {} : { reason }),
    readG1,
    readG2,
    writeG1: (point) => (ofG1(point).is0() ? infinityBytes(g1Bytes) : ofG1(point).toBytes(false)),
    writeG2: (point) => (ofG2(point).is0() ? infinityBytes(g2Bytes) : ofG2(point).toBytes(false)),
    isInfinity: (point) => (point as unknown as Point1 | Point2).is0(),
    hashToG2: (message) => asG2(bls12_381.G2.hashToCurve(message, { DST: signatureTag }) as Point2),
    sumG1: (points, factors) => asG1(mulAddUnsafe(G1, points.map(ofG1), [...factors])),
    sumG2: (points, factors) => asG2(mulAddUnsafe(G2, points.map(ofG2), [...factors])),
    isProductOne,
  }
}

function readG1(bytes: Uint8Array, what: string, fail: Fail): G1Point {
  const coordinates = readCoordinates(bytes, what, fail)
  if (!coordinates) return asG1(G1.ZERO)
  const [x, y] = numbersOf(coordinates) as [bigint, bigint]
  requireOnCurve(Fp, G1.CURVE().b, { x, y }, what, fail)
  return asG1(inSubgroup(G1.fromAffine({ x, y }), what, fail))
}

function readG2(bytes: Uint8Array, what: string, fail: Fail): G2Point {
  const coordinates = readCoordinates(bytes, what, fail)
  if (!coordinates) return asG2(G2.ZERO)
  const [x1, x0, y1, y0] = numbersOf(coordinates) as [bigint, bigint, bigint, bigint]
  const [x, y] = [Fp2.fromBigTuple([x0, x1]), Fp2.fromBigTuple([y0, y1])]
  requireOnCurve(Fp2, G2.CURVE().b, { x, y }, what, fail)
  return asG2(inSubgroup(G2.fromAffine({ x, y }), what, fail))
}

function requireOnCurve<F>(
  field: IField<F>,
  b: F,
  { x, y }: { readonly x: F; readonly y: F },
  what: string,
  fail: Fail,
): void {
  const right = field.add(field.mul(field.sqr(x), x), b)
  if (!field.eql(field.sqr(y), right)) throw fail(`${what} is no point of the curve`)
}

function inSubgroup<F, P extends CurvePoint<F, P>>(point: P, what: string, fail: Fail): P {
  if (!point.isTorsionFree()) throw fail(`${what} is outside the prime subgroup`)
  return point
}

function isProductOne(pairs: readonly Pair[]): boolean {
  const terms = pairs
    .map(([left, right]) => ({ left: ofG1(left), right: ofG2(right) }))
    .filter(({ left, right }) => !left.is0() && !right.is0())
    .map(({ left, right }): [Lines, bigint, bigint] => {
      const { x, y } = left.toAffine()
      return [linesOf(right), x, y]
    })
  return Fp12.eql(Fp12.finalExponentiate(bls12_381.millerLoopBatch(terms)), Fp12.ONE)
}

function linesOf(point: Point2): Lines {
  const known = linesByPoint.get(point)
  if (known) return known
  const made = bls12_381.utils.calcPairingPrecomputes(point)
  linesByPoint.set(point, made)
  return made
}

function asG1(point: Point1): G1Point {
  return point as unknown as G1Point
}

function asG2(point: Point2): G2Point {
  return point as unknown as G2Point
}

function ofG1(point: G1Point): Point1 {
  return point as unknown as Point1
}

function ofG2(point: G2Point): Point2 {
  return point as unknown as Point2
}
