import { randomBytes } from 'node:crypto'
import { aggregatePairs, type Equation, equations, type Statement, type Weights } from '#src/tss/hints/equations.ts'
import { brokenIdentities, type Identity } from '#src/tss/hints/identities.ts'
import type { HintsKey } from '#src/tss/hints/key.ts'
import type { Aggregate } from '#src/tss/hints/signature.ts'
import { bigEndianOf, blsOrder, modulo } from '#src/tss/numbers.ts'
import type { G1Point, G2Point, Pair, Pairings } from '#src/tss/pairings/pairings.ts'

/** Everything that a signature can break, by the names of the scheme. */
export type BrokenPart = 'threshold' | 'bls' | Equation | Identity

/** A signature over a hash, the hash as a point. */
export interface Signed {
  /** Not undefined where it still has to be shown that the aggregate holds. */
  readonly statement: Statement | undefined
  readonly aggPk: G1Point
  readonly hashed: G2Point
  readonly signature: G2Point
}

/** An error of a batch of 2^128 goes by. */
const weightBytes = 16

/** Whether more than half of the weight signed. */
export function isMajority(key: HintsKey, { values }: Aggregate): boolean {
  return 2n * values.weight > key.totalWeight
}

/**
 * Whether all signatures of one key hold, in one product: four pairings for what they say about who signed, one for the signatures, and one
 * for each group of signers.
 */
export function allHold(key: HintsKey, signed: readonly Signed[], pairings: Pairings): boolean {
  const statements = new Set(signed.flatMap(({ statement }) => (statement ? [statement] : [])))
  const weighted = [...statements].map((statement) => [statement, randomWeights()] as const)
  const aggregates = weighted.length === 0 ? [] : aggregatePairs(key, weighted, pairings)
  return pairings.isProductOne([...aggregates, ...signaturePairs(key, signed, pairings)])
}

/** Names of the equations of one signature that do not hold. */
export function brokenEquations(key: HintsKey, signed: Signed, pairings: Pairings): BrokenPart[] {
  const { statement } = signed
  const isSigned = pairings.isProductOne(signaturePairs(key, [signed], pairings))
  const broken = equations.filter(
    (name) => statement && !pairings.isProductOne(aggregatePairs(key, [[statement, only(name)]], pairings)),
  )
  return [...(isSigned ? [] : (['bls'] as const)), ...broken]
}

/** Names of all that one signature breaks. */
export function brokenParts(
  key: HintsKey,
  signed: Signed & { statement: Statement },
  pairings: Pairings,
): BrokenPart[] {
  const { aggregate, point } = signed.statement
  return [
    ...(isMajority(key, aggregate) ? [] : (['threshold'] as const)),
    ...brokenEquations(key, signed, pairings),
    ...brokenIdentities(key, aggregate, point),
  ]
}

/** aggPk and the hash against the generator and the signature; the first one counts once, the others at random. */
function signaturePairs(key: HintsKey, signed: readonly Signed[], pairings: Pairings): Pair[] {
  const factors = signed.map((_, at) => (at === 0 ? 1n : randomWeight()))
  const groups = Map.groupBy(
    signed.map(({ aggPk, hashed }, at) => ({ aggPk, hashed, factor: factors[at] as bigint })),
    ({ aggPk }) => aggPk,
  )
  const left = [...groups].map(([aggPk, members]): Pair => {
    const [first] = members
    // Multiplying a point of G1 costs half.
    if (first && members.length === 1) return [pairings.sumG1([aggPk], [first.factor]), first.hashed]
    const hashes = members.map(({ hashed }) => hashed)
    return [
      aggPk,
      pairings.sumG2(
        hashes,
        members.map(({ factor }) => factor),
      ),
    ]
  })
  const signatures = pairings.sumG2(
    signed.map(({ signature }) => signature),
    factors,
  )
  return [...left, [pairings.sumG1([key.g0], [blsOrder - 1n]), signatures]]
}

function only(name: Equation): Weights {
  return { openR: 0n, openRw: 0n, inner: 0n, degree: 0n, [name]: 1n }
}

function randomWeights(): Weights {
  return { openR: randomWeight(), openRw: randomWeight(), inner: randomWeight(), degree: randomWeight() }
}

function randomWeight(): bigint {
  return modulo(bigEndianOf(randomBytes(weightBytes)), blsOrder)
}
