import { SizedCache } from '#src/domain/sized-cache.ts'
import type { ChainRules } from '#src/evm/chain-rules.ts'
import type { Operation, RunState } from '#src/evm/operations.ts'

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
let isQuick = false

/** Has all frames from now on, of whatever EVM of this thread, run as the library has them run, but with less about each step. */
export function quicken(interpreter: Interpreter): void {
  if (isQuick) return
  isQuick = true
  const library: Interpreter = Object.getPrototypeOf(interpreter)
  keepAnalyses(library)
  stepAtOnce(library)
}

/**
 * The library reads all code anew for each frame that jumps, which takes longer than most frames run; where one may jump to depends
 * on the code alone, and its operations on the rules.
 */
function keepAnalyses(library: Interpreter): void {
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

/** The library makes a promise of each step; most wait for nothing. */
function stepAtOnce(library: Interpreter): void {
  const runStep = library.runStep
  const step = function (this: Interpreter, known?: Operation): Promise<void> | undefined {
    const { _runState: state, _evm: evm, common } = this
    const operation = known ?? this.lookupOpInfo(state.opCode)
    const { opcodeInfo, gasHandler } = operation
    if (opcodeInfo.isInvalid || evm.DEBUG || evm.events.listenerCount('step') > 0) return runStep.call(this, known)
    const gas = opcodeInfo.dynamicGas
      ? (gasHandler(state, opcodeInfo.feeBigInt, common) as Promise<bigint> | bigint)
      : opcodeInfo.feeBigInt
    return typeof gas === 'bigint' ? perform(this, operation, gas) : performOnce(this, operation, gas)
  }
  library.runStep = step as typeof runStep
}

async function performOnce(interpreter: Interpreter, operation: Operation, gas: Promise<bigint>): Promise<void> {
  await perform(interpreter, operation, await gas)
}

/** undefined where nothing is to be waited for. */
function perform(interpreter: Interpreter, operation: Operation, gas: bigint): Promise<void> | undefined {
  const { opcodeInfo, opHandler } = operation
  const { common } = interpreter._evm
  const state = interpreter['_runState']
  interpreter.useGas(gas, opcodeInfo)
  state.programCounter++
  return (opHandler(state, common) as Promise<void> | undefined) ?? undefined
}
