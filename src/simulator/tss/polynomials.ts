import { Field, FpInvertBatch } from '@noble/curves/abstract/modular.js'
import { blsOrder, inverseOf, modulo, powerOf } from '#src/tss/numbers.ts'

const field = Field(blsOrder)

/** Powers of omega: the points at which polynomials have their values, one per slot. */
export function slotPoints(slots: number, omega: bigint): bigint[] {
  const points = [1n]
  for (let at = 1; at < slots; at++) points.push(((points[at - 1] as bigint) * omega) % blsOrder)
  return points
}

/** What each slot contributes to the value of a polynomial at `x`: the value of the polynomial that is 1 there and else 0. */
export function slotShares(points: readonly bigint[], x: bigint): bigint[] {
  const n = BigInt(points.length)
  const zero = modulo(powerOf(x, n, blsOrder) - 1n, blsOrder)
  const inverses = FpInvertBatch(
    field,
    points.map((point) => (n * modulo(x - point, blsOrder)) % blsOrder),
  )
  return points.map((point, at) => (((point * zero) % blsOrder) * (inverses[at] as bigint)) % blsOrder)
}

/** The value of a polynomial that is given by its values in the slots. */
export function valueAtShares(values: readonly bigint[], shares: readonly bigint[]): bigint {
  return values.reduce((sum, value, at) => (sum + value * (shares[at] as bigint)) % blsOrder, 0n)
}

export function divided(left: bigint, right: bigint): bigint {
  return (modulo(left, blsOrder) * inverseOf(right, blsOrder)) % blsOrder
}
