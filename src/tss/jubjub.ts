import { type EdwardsPoint, edwards } from '@noble/curves/abstract/edwards.js'
import type { Fail } from '#src/domain/field-reader.ts'
import { bnOrder, jubjubOrder, littleEndianBytes, littleEndianOf, scalarBytes } from '#src/tss/numbers.ts'

export type JubjubPoint = EdwardsPoint
export const jubjubPointBytes = 64

/** Baby Jubjub in the form of the network's library: a = 1, x scaled accordingly. */
export const Jubjub = edwards({
  p: bnOrder,
  n: jubjubOrder,
  h: 8n,
  a: 1n,
  d: 9706598848417545097372247223557719406784115219466060233080913168975159366771n,
  Gx: 19698561148652590122159747500897617769866003486955115824547446575314762165298n,
  Gy: 19298250018296453272277890825869354524455968081175474282777126169995084727839n,
})

/** A point of the prime subgroup: x and y, 32 bytes each, little-endian. */
export function readJubjubPoint(bytes: Uint8Array, what: string, fail: Fail): JubjubPoint {
  const [x, y] = [littleEndianOf(bytes.subarray(0, scalarBytes)), littleEndianOf(bytes.subarray(scalarBytes))]
  if (x >= bnOrder || y >= bnOrder) throw fail(`${what} has a coordinate beyond its field`)
  if (!isOnCurve(x, y)) throw fail(`${what} is no point of the curve`)
  const point = Jubjub.fromAffine({ x, y })
  if (!point.isTorsionFree()) throw fail(`${what} is outside the prime subgroup`)
  return point
}

export function jubjubBytes(point: JubjubPoint): Buffer {
  const { x, y } = point.toAffine()
  return Buffer.concat([littleEndianBytes(x, scalarBytes), littleEndianBytes(y, scalarBytes)])
}

/** y little-endian; the highest bit tells which of x and -x it is. */
export function compressedJubjub(point: JubjubPoint): Buffer {
  const { x, y } = point.toAffine()
  const bytes = littleEndianBytes(y, scalarBytes)
  if (x > bnOrder - x) bytes[scalarBytes - 1] = (bytes[scalarBytes - 1] as number) | 0x80
  return bytes
}

function isOnCurve(x: bigint, y: bigint): boolean {
  const [xx, yy] = [(x * x) % bnOrder, (y * y) % bnOrder]
  return (xx + yy) % bnOrder === (1n + ((Jubjub.CURVE().d * xx) % bnOrder) * yy) % bnOrder
}
