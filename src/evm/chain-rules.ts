import { Common, Mainnet, type ParamsDict } from '@ethereumjs/common'
import { type EVM, NobleBLS, NobleBN254, paramsEVM } from '@ethereumjs/evm'
import { bls12_381 } from '@noble/curves/bls12-381.js'
import { KZG } from 'micro-eth-signer/kzg.js'
import type { EvmRules } from '#src/evm/rules.ts'

const { G1, G2 } = bls12_381
/** The second power of the secret in G2, of Ethereum's ceremony of 2023 (`g2_monomial[1]` of its `trusted_setup.json`). */
const secondPower =
  '0xb5bfd7dd8cdeb128843bc287230af38926187075cbfbefa81009a2ce615ac53d2914e5870cb452d2afaaab24f3499f72185cbfee53492714734429b7b38608e23926c911cceceac9a36851477ba4c60b087041de621000edc98edada20c1def2'

/** Proofs of what a polynomial is at a point are verified by this alone: blobs, which take the powers in G1, are none of contracts. */
const pointEvaluation = new KZG({
  g1_lagrange: [G1.Point.BASE.toHex(true), G1.Point.BASE.toHex(true)],
  g2_monomial: [G2.Point.BASE.toHex(true), secondPower],
})

/** A storage write needs nothing left beyond its cost. */
const params = { ...paramsEVM, 2200: { ...paramsEVM[2200], sstoreSentryEIP2200Gas: 0 } }
const codeDelegation = 7_702

/** Tables of operations as the library keeps them. */
export interface OperationTables {
  readonly _opcodes: EVM['_opcodes']
  readonly _handlers: EVM['_handlers']
  readonly _dynamicGasHandlers: EVM['_dynamicGasHandlers']
  readonly _opcodeMap: EVM['_opcodeMap']
}

/**
 * A chain by the rules of one version, as the library reads them. An EVM of it costs much more to set up than a call costs to run, so
 * all runs by the same rules share what follows from these, of which none changes anything.
 */
export class ChainRules extends Common {
  /** What an EVM of this chain makes of its operations; the first one leaves it here. */
  operations: OperationTables | undefined
  // The library's constructor builds its table of prices before this one is begun.
  #isPriced = false

  constructor({ hardfork, eips }: EvmRules, chainId: number, delegates: boolean) {
    super({
      chain: { ...Mainnet, chainId },
      hardfork,
      eips: [...eips, ...(delegates ? [codeDelegation] : [])],
      customCrypto: { kzg: pointEvaluation },
    })
    this.updateParams(params)
    this.#isPriced = true
  }

  /** Every EVM says the prices again that it was given. */
  override updateParams(said: ParamsDict): void {
    if (!this.#isPriced) super.updateParams(said)
  }
}

/** Of contracts that are built in: what they compute with. */
export const curves = { bls: new NobleBLS(), bn254: new NobleBN254() }

const known = new Map<string, ChainRules>()

/** As many as there are versions of the rules, on the chains of one process. */
export function chainRulesOf(rules: EvmRules, chainId: number, delegates: boolean): ChainRules {
  const key = `${rules.hardfork} ${rules.eips.join()} ${chainId} ${delegates}`
  const made = known.get(key) ?? new ChainRules(rules, chainId, delegates)
  known.set(key, made)
  return made
}
