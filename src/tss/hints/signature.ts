import { blsOrder, littleEndianOf, scalarBytes, weightLimit } from '#src/tss/numbers.ts'
import { g1Bytes, g2Bytes } from '#src/tss/pairings/encoding.ts'
import type { G1Point, G2Point, Pairings } from '#src/tss/pairings/pairings.ts'
import type { ProofFail } from '#src/tss/proof-failure.ts'

export const hintsSignatureBytes = 1_632
/** The one part that depends on the message. */
export const signatureAt = 128

/** Offsets of the points of G1. Q3 stands before Q2. */
export const pointAt = {
  aggPk: 0,
  B: 320,
  Qx: 416,
  QxTau: 512,
  Qz: 608,
  ParSum: 704,
  Q1: 800,
  Q3: 896,
  Q2: 992,
  Q4: 1_088,
  piR: 1_184,
  piRw: 1_280,
} as const

/** Offsets of the numbers: the weight, then values of polynomials at r, and of the running sum also one slot before. */
export const valueAt = {
  weight: 96,
  ParSum: 1_376,
  ParSumBefore: 1_408,
  W: 1_440,
  B: 1_472,
  Q1: 1_504,
  Q3: 1_536,
  Q2: 1_568,
  Q4: 1_600,
} as const

export type PointName = keyof typeof pointAt
export type ValueName = keyof typeof valueAt

/**
 * What a signature says about who signed, whatever they signed: the sum of their keys (aggPk, divided by the number of slots) and their
 * weight, with the proof of it. B is the polynomial that is 1 in the slots of those who signed, ParSum the running sum of their
 * weights; Q are quotients that exist only where all is as it should be; pi open what is merged at the challenge.
 */
export interface Aggregate {
  readonly points: Readonly<Record<PointName, G1Point>>
  readonly values: Readonly<Record<ValueName, bigint>>
}

export function pointBytes(signature: Uint8Array, name: PointName): Uint8Array {
  return signature.subarray(pointAt[name], pointAt[name] + g1Bytes)
}

export function valueBytes(signature: Uint8Array, name: ValueName): Uint8Array {
  return signature.subarray(valueAt[name], valueAt[name] + scalarBytes)
}

/** All bytes but those that depend on the message. */
export function aggregateBytes(signature: Uint8Array): Buffer {
  return Buffer.concat([signature.subarray(0, signatureAt), signature.subarray(signatureAt + g2Bytes)])
}

export function readAggregate(signature: Uint8Array, pairings: Pairings, fail: ProofFail): Aggregate {
  const values = Object.fromEntries(valueNames.map((name) => [name, readValue(signature, name, fail)]))
  const points = Object.fromEntries(pointNames.map((name) => [name, readPoint(signature, name, pairings, fail)]))
  const aggregate = { points, values } as unknown as Aggregate
  if (aggregate.values.weight >= weightLimit) throw fail('encoding', 'its weight does not fit in 64 bits')
  if (pairings.isInfinity(aggregate.points.aggPk)) throw fail('encoding', 'aggPk of its signature is infinity')
  return aggregate
}

/** The signature itself, over a message. */
export function readAggregateSignature(signature: Uint8Array, pairings: Pairings, fail: ProofFail): G2Point {
  const bytes = signature.subarray(signatureAt, signatureAt + g2Bytes)
  const point = pairings.readG2(bytes, 'aggSig of its signature', (reason) => fail('encoding', reason))
  // With aggPk it would fit every message.
  if (pairings.isInfinity(point)) throw fail('encoding', 'aggSig of its signature is infinity')
  return point
}

const pointNames = Object.keys(pointAt) as PointName[]
const valueNames = Object.keys(valueAt) as ValueName[]

function readPoint(signature: Uint8Array, name: PointName, pairings: Pairings, fail: ProofFail): G1Point {
  return pairings.readG1(pointBytes(signature, name), `${name} of its signature`, (reason) => fail('encoding', reason))
}

function readValue(signature: Uint8Array, name: ValueName, fail: ProofFail): bigint {
  const value = littleEndianOf(valueBytes(signature, name))
  if (value >= blsOrder) throw fail('encoding', `the number ${name} of its signature is beyond its field`)
  return value
}
