import type { HintsKey } from '#src/tss/hints/key.ts'
import type { Aggregate } from '#src/tss/hints/signature.ts'
import { blsOrder, inverseOf, modulo, powerOf } from '#src/tss/numbers.ts'

/** What has to hold between the values at r, by the name of what it proves. */
export type Identity = 'parsumStep' | 'parsumEnd' | 'bitmapBinary' | 'bitmapLast'

/** The value at `point` of x^n - 1, and of the polynomial that is 1 in the last slot and else 0. */
export function slotValues(
  { slots, omega }: Pick<HintsKey, 'slots' | 'omega'>,
  point: bigint,
): { zero: bigint; last: bigint } {
  const n = BigInt(slots)
  const lastRoot = inverseOf(omega, blsOrder)
  const zero = modulo(powerOf(point, n, blsOrder) - 1n, blsOrder)
  const last = (((lastRoot * zero) % blsOrder) * inverseOf(n * modulo(point - lastRoot, blsOrder), blsOrder)) % blsOrder
  return { zero, last }
}

/**
 * Which of the four identities do not hold at `point`. They hold by accident for nobody, so they also tell the generation in which the
 * signature was made, at the cost of a hash.
 */
export function brokenIdentities(key: HintsKey, { values }: Aggregate, point: bigint): Identity[] {
  const { zero, last } = slotValues(key, point)
  const sides: Record<Identity, readonly [bigint, bigint]> = {
    parsumStep: [values.ParSum - values.ParSumBefore - values.W * values.B, values.Q1 * zero],
    parsumEnd: [last * values.ParSum, values.Q3 * zero],
    bitmapBinary: [values.B * values.B - values.B, values.Q2 * zero],
    bitmapLast: [last * (values.B - 1n), values.Q4 * zero],
  }
  return (Object.keys(sides) as Identity[]).filter((name) => {
    const [left, right] = sides[name]
    return modulo(left - right, blsOrder) !== 0n
  })
}
