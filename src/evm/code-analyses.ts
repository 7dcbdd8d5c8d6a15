import type { ChainRules } from '#src/evm/chain-rules.ts'
import type { RunState } from '#src/evm/operations.ts'
import { SizedCache } from '#src/evm/sized-cache.ts'

type Interpreter = RunState['interpreter']
type Analysis = ReturnType<Interpreter['_getValidJumpDestinations']>

interface Kept {
  readonly chain: ChainRules
  readonly analysis: Analysis
}

/** Of code: what is found out about it takes some thirty times as much memory. */
const codeBytesMax = 512 << 10
/** Shorter code is read in no time, and much of it is made for one frame. */
const codeBytesMin = 256
const kept = new SizedCache<Uint8Array, Kept>(codeBytesMax, (_kept, { length }) => length)
let isKeeping = false

/**
 * Has frames find what is known of their code. The library reads all of it anew for each frame that jumps, which takes longer than
 * most frames run; where one may jump to depends on the code alone, and its operations on the rules.
 */
export function keepAnalyses(interpreter: Interpreter): void {
  if (isKeeping) return
  isKeeping = true
  const library: Interpreter = Object.getPrototypeOf(interpreter)
  const analyse = library._getValidJumpDestinations
  library._getValidJumpDestinations = function (this: Interpreter, code) {
    const chain = code.length < codeBytesMin ? undefined : sharedChain(this)
    if (chain === undefined) return analyse.call(this, code)
    const known = kept.get(code)
    if (known?.chain === chain) return known.analysis
    return kept.keep(code, { chain, analysis: analyse.call(this, code) }).analysis
  }
}

/** undefined where the operations are those of one run, as of one that is traced. */
function sharedChain({ _evm: evm }: Interpreter): ChainRules | undefined {
  const chain = evm.common as Partial<ChainRules>
  const isShared = chain.operations !== undefined && chain.operations._opcodeMap === evm['_opcodeMap']
  return isShared ? (chain as ChainRules) : undefined
}
