import type { Generation } from '#src/tss/generations.ts'
import { mergedValues, mergingFactor, openingPoint } from '#src/tss/hints/challenges.ts'
import type { HintsKey } from '#src/tss/hints/key.ts'
import type { Aggregate } from '#src/tss/hints/signature.ts'
import { blsOrder, inverseOf, modulo } from '#src/tss/numbers.ts'
import { compress } from '#src/tss/pairings/encoding.ts'
import type { G1Point, Pair, Pairings } from '#src/tss/pairings/pairings.ts'

/** Pairing equations of an aggregate. Each holds when its pairings multiply to 1. */
export const equations = ['openR', 'openRw', 'inner', 'degree'] as const
export type Equation = (typeof equations)[number]
/** How often each equation counts in a product of all: random, so that a broken one cannot be mended by another. */
export type Weights = Readonly<Record<Equation, bigint>>

/** What the equations of one aggregate are made of. */
export interface Statement {
  readonly aggregate: Aggregate
  /** r; r / omega; the factor whose powers merge. */
  readonly point: bigint
  readonly pointBefore: bigint
  readonly merging: bigint
}

export function statementOf(
  key: HintsKey,
  signature: Uint8Array,
  aggregate: Aggregate,
  generation: Generation,
  pairings: Pairings,
): Statement {
  const point = openingPoint(key.transcript, signature, generation)
  const adjusted = () => {
    const factors = [1n, modulo(-aggregate.values.weight, blsOrder)]
    return compress(pairings.writeG1(pairings.sumG1([key.w, key.ln1], factors)))
  }
  return {
    aggregate,
    point,
    pointBefore: (point * inverseOf(key.omega, blsOrder)) % blsOrder,
    merging: mergingFactor(signature, { generation, point, adjusted }),
  }
}

/** A sum of points that is still to be made. */
interface Terms {
  readonly points: G1Point[]
  readonly factors: bigint[]
}

/**
 * The equations of several aggregates of one key in the four pairings that they take together, one for each point of G2 that they
 * are about.
 */
export function aggregatePairs(
  key: HintsKey,
  weighted: readonly (readonly [Statement, Weights])[],
  pairings: Pairings,
): Pair[] {
  const terms = { h0: noTerms(), h1: noTerms(), sk: noTerms(), z: noTerms() }
  for (const [statement, weights] of weighted) {
    addOpenings(terms.h0, key, statement, weights)
    addRest(terms, statement, weights)
  }
  return (['h0', 'h1', 'sk', 'z'] as const).map((name) => [
    pairings.sumG1(terms[name].points, terms[name].factors),
    key[name],
  ])
}

/** What was merged, less its value; the other side of each opening is with h1. */
function addOpenings(h0: Terms, key: HintsKey, statement: Statement, weights: Weights): void {
  const { aggregate, point, pointBefore, merging } = statement
  const { points, values } = aggregate
  let factor = weights.openR
  let value = 0n
  for (const name of mergedValues) {
    add(h0, name === 'W' ? key.w : points[name], factor)
    if (name === 'W') add(h0, key.ln1, -factor * values.weight)
    value += factor * values[name]
    factor = (factor * merging) % blsOrder
  }
  add(h0, points.piR, weights.openR * point)
  add(h0, points.ParSum, weights.openRw)
  add(h0, points.piRw, weights.openRw * pointBefore)
  add(h0, key.g0, -value - weights.openRw * values.ParSumBefore)
}

function addRest(
  { h0, h1, sk, z }: Readonly<Record<'h0' | 'h1' | 'sk' | 'z', Terms>>,
  { aggregate: { points } }: Statement,
  { openR, openRw, inner, degree }: Weights,
): void {
  add(h0, points.aggPk, -inner)
  add(h0, points.QxTau, -degree)
  add(h1, points.piR, -openR)
  add(h1, points.piRw, -openRw)
  add(h1, points.Qx, degree - inner)
  add(sk, points.B, inner)
  add(z, points.Qz, -inner)
}

function noTerms(): Terms {
  return { points: [], factors: [] }
}

/** Key points and those of equal place come again and again in a batch; their factors are added up. */
function add({ points, factors }: Terms, point: G1Point, factor: bigint): void {
  const at = points.indexOf(point)
  const sum = modulo(factor + (at < 0 ? 0n : (factors[at] as bigint)), blsOrder)
  if (at >= 0) factors[at] = sum
  else if (sum !== 0n) {
    points.push(point)
    factors.push(sum)
  }
}
