import { type BnG1, bnG1, isBnProductOne } from '#src/tss/binding/bn254.ts'
import type { WrapsKey } from '#src/tss/binding/wraps-key.ts'
import type { WrapsProof } from '#src/tss/binding/wraps-proof.ts'
import { bnOrder, littleEndianOf } from '#src/tss/numbers.ts'

const limbBits = 55n
const limbs = 5

/** A condition of a history proof, by name. */
export type WrapsCondition = 'steps' | 'instance' | 'ledger' | 'key' | 'groth' | 'openingW' | 'openingE'

export interface WrapsClaim {
  readonly ledgerId: Uint8Array
  /** Of the key that the last nodes made. */
  readonly keyHash: bigint
}

/** Which conditions do not hold; none where the proof ties the key to the ledger. */
export function brokenWrapsConditions(key: WrapsKey, proof: WrapsProof, claim: WrapsClaim): WrapsCondition[] {
  const { folded, newest, cmT, factor, openings, challenges } = proof
  const w = folded.cmW.add(newest.cmW.multiplyUnsafe(factor))
  const e = folded.cmE.add(cmT.multiplyUnsafe(factor))
  const conditions: Record<WrapsCondition, () => boolean> = {
    // One step alone would be the first nodes signing for themselves.
    steps: () => proof.steps > 1n,
    instance: () => newest.cmE.is0(),
    ledger: () => proof.first[0] === littleEndianOf(claim.ledgerId),
    key: () => proof.last[1] === claim.keyHash,
    groth: () => isGrothProof(key, proof, publicInputs(key, proof, w, e)),
    openingW: () => isOpening(key, w, openings[0], challenges[0]),
    openingE: () => isOpening(key, e, openings[1], challenges[1]),
  }
  return (Object.keys(conditions) as WrapsCondition[]).filter((name) => !conditions[name]())
}

/** What the circuit is told. Coordinates are of another field, and therefore in pieces. */
export function publicInputs(key: WrapsKey, proof: WrapsProof, w: BnG1, e: BnG1): bigint[] {
  const { steps, first, last, challenges, openings, cmT } = proof
  return [
    key.parameters,
    steps,
    ...first,
    ...last,
    ...limbsOf(w),
    ...limbsOf(e),
    ...challenges,
    openings[0].value,
    openings[1].value,
    ...limbsOf(cmT),
  ]
}

function isGrothProof(key: WrapsKey, { a, b, c }: WrapsProof, inputs: readonly bigint[]): boolean {
  const [constant = bnG1.ZERO, ...factors] = key.ic
  const ic = inputs.reduce((sum, input, at) => sum.add((factors[at] as BnG1).multiplyUnsafe(input)), constant)
  return isBnProductOne([
    [a, b],
    [key.alpha.negate(), key.beta],
    [ic.negate(), key.gamma],
    [c.negate(), key.delta],
  ])
}

function isOpening(
  key: WrapsKey,
  commitment: BnG1,
  { value, proof }: WrapsProof['openings'][0],
  point: bigint,
): boolean {
  const left = commitment.add(key.g.multiplyUnsafe((bnOrder - value) % bnOrder)).add(proof.multiplyUnsafe(point))
  return isBnProductOne([
    [left, key.h],
    [proof.negate(), key.betaH],
  ])
}

function limbsOf(point: BnG1): bigint[] {
  const { x, y } = point.is0() ? { x: 0n, y: 0n } : point.toAffine()
  return [x, y].flatMap((value) =>
    Array.from({ length: limbs }, (_, at) => BigInt.asUintN(Number(limbBits), value >> (BigInt(at) * limbBits))),
  )
}
