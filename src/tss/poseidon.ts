import { Field } from '@noble/curves/abstract/modular.js'
import { grainGenConstants, type PoseidonFn, poseidon } from '@noble/curves/abstract/poseidon.js'
import { bnOrder } from '#src/tss/numbers.ts'

/** Four inputs at a time; the first element of the state takes none. */
const rate = 4
let permutation: PoseidonFn | undefined

/** The sponge over elements of the field of BN254's order: the second element after the last permutation. */
export function poseidonOf(inputs: readonly bigint[]): bigint {
  permutation ??= openPermutation()
  let state = [0n, 0n, 0n, 0n, 0n]
  for (let from = 0; from < inputs.length; from += rate) {
    state = permutation(
      state.map((value, at) => (at === 0 ? value : (value + (inputs[from + at - 1] ?? 0n)) % bnOrder)),
    )
  }
  return state[1] as bigint
}

/** Deriving the constants takes some 20 ms. */
function openPermutation(): PoseidonFn {
  const shape = { Fp: Field(bnOrder), t: rate + 1, roundsFull: 8, roundsPartial: 60 }
  return poseidon({ ...shape, sboxPower: 5, ...grainGenConstants(shape) })
}
