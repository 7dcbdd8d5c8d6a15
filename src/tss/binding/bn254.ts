import { bn254 } from '@noble/curves/bn254.js'
import type { Fail } from '#src/domain/field-reader.ts'
import { littleEndianOf } from '#src/tss/numbers.ts'

export const bnG1 = bn254.G1.Point
const bnG2 = bn254.G2.Point
export type BnG1 = typeof bnG1.BASE
export type BnG2 = typeof bnG2.BASE

const { Fp, Fp2, Fp12 } = bn254.fields
export const bnG1Bytes = 32
export const bnG2Bytes = 64
const largerFlag = 0x80
const infinityFlag = 0x40
const bitsWithoutFlags = 0x3f

/** A compressed point: x little-endian, in the two highest bits of the last byte which y, or that it is infinity. */
export function readBnG1(bytes: Uint8Array, what: string, fail: Fail): BnG1 {
  const { flags, rest } = withoutFlags(bytes, what, fail)
  if (flags === infinityFlag) return bnG1.ZERO
  const x = coordinate(rest, what, fail)
  const y = root(() => Fp.sqrt(Fp.add(Fp.mul(Fp.sqr(x), x), bnG1.CURVE().b)), what, fail)
  return bnG1.fromAffine({ x, y: isLarger(y) === (flags === largerFlag) ? y : Fp.neg(y) })
}

/** The same with two parts to a coordinate, the real one first. */
export function readBnG2(bytes: Uint8Array, what: string, fail: Fail): BnG2 {
  const { flags, rest } = withoutFlags(bytes, what, fail)
  if (flags === infinityFlag) return bnG2.ZERO
  const c0 = coordinate(rest.subarray(0, bnG1Bytes), what, fail)
  const c1 = coordinate(rest.subarray(bnG1Bytes), what, fail)
  const x = Fp2.fromBigTuple([c0, c1])
  const y = root(() => Fp2.sqrt(Fp2.add(Fp2.mul(Fp2.sqr(x), x), bnG2.CURVE().b)), what, fail)
  const isLargerOne = isLarger(y.c1 === 0n ? y.c0 : y.c1)
  const point = bnG2.fromAffine({ x, y: isLargerOne === (flags === largerFlag) ? y : Fp2.neg(y) })
  if (!point.isTorsionFree()) throw fail(`${what} is outside the prime subgroup`)
  return point
}

/** Whether the pairings of all pairs multiply to 1. A pair with infinity counts as 1. */
export function isBnProductOne(pairs: readonly (readonly [BnG1, BnG2])[]): boolean {
  const terms = pairs.filter(([g1, g2]) => !g1.is0() && !g2.is0()).map(([g1, g2]) => ({ g1, g2 }))
  return Fp12.eql(bn254.pairingBatch(terms), Fp12.ONE)
}

function withoutFlags(bytes: Uint8Array, what: string, fail: Fail): { flags: number; rest: Uint8Array } {
  const rest = Uint8Array.from(bytes)
  const last = rest.at(-1) as number
  rest[rest.length - 1] = last & bitsWithoutFlags
  const flags = last & ~bitsWithoutFlags
  if (flags === (largerFlag | infinityFlag)) throw fail(`${what} has flags that contradict each other`)
  if (flags === infinityFlag && rest.some((byte) => byte !== 0)) {
    throw fail(`${what} is marked as infinity and has other bytes`)
  }
  return { flags, rest }
}

function coordinate(bytes: Uint8Array, what: string, fail: Fail): bigint {
  const value = littleEndianOf(bytes)
  if (value >= Fp.ORDER) throw fail(`${what} has a coordinate beyond its field`)
  return value
}

/** The library throws where there is no root. */
function root<T>(find: () => T, what: string, fail: Fail): T {
  try {
    return find()
  } catch {
    throw fail(`${what} is no point of the curve`)
  }
}

function isLarger(y: bigint): boolean {
  return y > Fp.ORDER - y
}
