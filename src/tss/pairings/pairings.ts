import type { Fail } from '#src/domain/field-reader.ts'

declare const group: unique symbol
/** A point of one of the two groups of BLS12-381, as the library holds it. Only the library that made it can use it. */
export type G1Point = object & { readonly [group]: 'G1' }
export type G2Point = object & { readonly [group]: 'G2' }
export type Pair = readonly [G1Point, G2Point]

/**
 * The groups of BLS12-381 and the pairing of them. Both libraries accept and refuse the same bytes: coordinates below the prime, flags
 * as the form without compression has them, on the curve, in the prime subgroup. Infinity is a point like any other; who must
 * not have it says so.
 */
export interface Pairings {
  /** The library. */
  readonly name: string
  /** Why this one was opened instead of the faster one that was asked for. */
  readonly reason?: string
  /** 96 bytes: x, y. Throws what `fail` makes of the reason. */
  readG1(bytes: Uint8Array, what: string, fail: Fail): G1Point
  /** 192 bytes: x and y, the imaginary part of each first. */
  readG2(bytes: Uint8Array, what: string, fail: Fail): G2Point
  writeG1(point: G1Point): Uint8Array
  writeG2(point: G2Point): Uint8Array
  isInfinity(point: G1Point | G2Point): boolean
  /** RFC 9380, with the tag under which the network signs. */
  hashToG2(message: Uint8Array): G2Point
  /** The sum of the points, each so many times; factors in [0, order). */
  sumG1(points: readonly G1Point[], factors: readonly bigint[]): G1Point
  sumG2(points: readonly G2Point[], factors: readonly bigint[]): G2Point
  /** Whether the pairings of all pairs multiply to 1. A pair with infinity counts as 1. */
  isProductOne(pairs: readonly Pair[]): boolean
}

/** Tag of the signatures, of the scheme with proofs of possession. */
export const signatureTag = 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_'
