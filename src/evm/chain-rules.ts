import { Common, Mainnet, type ParamsDict } from '@ethereumjs/common'
import { type EVM, NobleBLS, NobleBN254, paramsEVM } from '@ethereumjs/evm'
import { pointEvaluation } from '#src/evm/point-evaluation.ts'
import type { EvmRules } from '#src/evm/rules.ts'

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
