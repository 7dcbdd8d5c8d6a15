import { bls12_381 } from '@noble/curves/bls12-381.js'
import { KZG } from 'micro-eth-signer/kzg.js'

const { G1, G2 } = bls12_381
/** The second power of the secret in G2, of Ethereum's ceremony of 2023 (`g2_monomial[1]` of its `trusted_setup.json`). */
const secondPower =
  '0xb5bfd7dd8cdeb128843bc287230af38926187075cbfbefa81009a2ce615ac53d2914e5870cb452d2afaaab24f3499f72185cbfee53492714734429b7b38608e23926c911cceceac9a36851477ba4c60b087041de621000edc98edada20c1def2'

/** Proofs of what a polynomial is at a point are verified by this alone: blobs, which take the powers in G1, are none of contracts. */
export const pointEvaluation = new KZG({
  g1_lagrange: [G1.Point.BASE.toHex(true), G1.Point.BASE.toHex(true)],
  g2_monomial: [G2.Point.BASE.toHex(true), secondPower],
})
