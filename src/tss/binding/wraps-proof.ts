import type { Fail } from '#src/domain/field-reader.ts'
import { type BnG1, type BnG2, bnG1Bytes, bnG2Bytes, readBnG1, readBnG2 } from '#src/tss/binding/bn254.ts'
import { piecesOf } from '#src/tss/binding/wraps-key.ts'
import { bnOrder, littleEndianOf, scalarBytes } from '#src/tss/numbers.ts'

export const wrapsBytes = 704

/** Two commitments of a folded instance. */
interface Instance {
  readonly cmW: BnG1
  readonly cmE: BnG1
}

/** A proof that the nodes changed so many times, each time by a signature of those before, from the first ones to those that made a key. */
export interface WrapsProof {
  readonly steps: bigint
  /** State before the first step and after the last: hash of the nodes, hash of their key. */
  readonly first: readonly [bigint, bigint]
  readonly last: readonly [bigint, bigint]
  /** What was folded, and what it is folded with. */
  readonly folded: Instance
  readonly newest: Instance
  readonly a: BnG1
  readonly b: BnG2
  readonly c: BnG1
  /** Value and opening of both commitments of the result. */
  readonly openings: readonly [Opening, Opening]
  readonly cmT: BnG1
  /** What it is folded by. */
  readonly factor: bigint
  /** Points at which the commitments are opened. */
  readonly challenges: readonly [bigint, bigint]
}

interface Opening {
  readonly value: bigint
  readonly proof: BnG1
}

export function readWrapsProof(bytes: Uint8Array, fail: Fail): WrapsProof {
  const pieces = piecesOf(bytes)
  const scalar = (what: string) => {
    const value = littleEndianOf(pieces.next(scalarBytes))
    if (value >= bnOrder) throw fail(`${what} of its history proof is beyond its field`)
    return value
  }
  const g1 = (what: string) => readBnG1(pieces.next(bnG1Bytes), `${what} of its history proof`, fail)
  const pairOf = <T>(what: string, read: (what: string) => T): [T, T] => {
    const count = littleEndianOf(pieces.next(8))
    if (count !== 2n) throw fail(`${what} of its history proof has ${count} parts instead of 2`)
    return [read(what), read(what)]
  }
  const steps = scalar('the number of steps')
  const first = pairOf('the first state', scalar)
  const last = pairOf('the last state', scalar)
  const [foldedW, foldedE] = pairOf('the folded instance', g1)
  const [newestW, newestE] = pairOf('the newest instance', g1)
  return {
    steps,
    first,
    last,
    folded: { cmW: foldedW, cmE: foldedE },
    newest: { cmW: newestW, cmE: newestE },
    a: g1('A'),
    b: readBnG2(pieces.next(bnG2Bytes), 'B of its history proof', fail),
    c: g1('C'),
    openings: [openingOf(scalar, g1), openingOf(scalar, g1)],
    cmT: g1('cmT'),
    factor: scalar('r'),
    challenges: [scalar('c0'), scalar('c1')],
  }
}

function openingOf(scalar: (what: string) => bigint, g1: (what: string) => BnG1): Opening {
  return { value: scalar('the value of an opening'), proof: g1('an opening') }
}
