import type { Fail } from '#src/domain/field-reader.ts'
import { type BnG1, type BnG2, bnG1Bytes, bnG2Bytes, readBnG1, readBnG2 } from '#src/tss/binding/bn254.ts'
import { bnOrder, littleEndianOf, scalarBytes } from '#src/tss/numbers.ts'

const wrapsInputs = 40

/** Checks proofs about all changes of a ledger's nodes: the key of a Groth16 circuit, and of openings of polynomials. */
export interface WrapsKey {
  /** Names the parameters of the folding that the circuit checks. */
  readonly parameters: bigint
  readonly alpha: BnG1
  readonly beta: BnG2
  readonly gamma: BnG2
  readonly delta: BnG2
  /** A constant and one for each public input. */
  readonly ic: readonly BnG1[]
  readonly g: BnG1
  readonly h: BnG2
  readonly betaH: BnG2
}

/** 1,768 bytes, a ledger's history proof verification key. */
export function readWrapsKey(bytes: Uint8Array, fail: Fail): WrapsKey {
  const pieces = piecesOf(bytes)
  const g1 = (what: string) => readBnG1(pieces.next(bnG1Bytes), `${what} of the history proof verification key`, fail)
  const g2 = (what: string) => readBnG2(pieces.next(bnG2Bytes), `${what} of the history proof verification key`, fail)
  const parameters = littleEndianOf(pieces.next(scalarBytes))
  if (parameters >= bnOrder) throw fail('the parameters of the history proof verification key are beyond their field')
  const groth = { alpha: g1('alpha'), beta: g2('beta'), gamma: g2('gamma'), delta: g2('delta') }
  const count = littleEndianOf(pieces.next(8))
  if (count !== BigInt(wrapsInputs + 1)) {
    throw fail(`the history proof verification key is for ${count - 1n} inputs instead of ${wrapsInputs}`)
  }
  const ic = Array.from({ length: wrapsInputs + 1 }, (_, at) => g1(`input ${at}`))
  const g = g1('g')
  // Read like the others and used by nothing.
  g1('gamma of the openings')
  return { parameters, ...groth, ic, g, h: g2('h'), betaH: g2('beta of the openings') }
}

/** Takes bytes off one after the other. */
export function piecesOf(bytes: Uint8Array): { next(length: number): Uint8Array } {
  let at = 0
  return {
    next: (length) => {
      at += length
      return bytes.subarray(at - length, at)
    },
  }
}
