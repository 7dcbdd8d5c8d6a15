import type { Party } from '#src/simulator/evm/frame.ts'
import type { Log } from '#src/simulator/evm/function-result.ts'
import type { ContractTerms } from '#src/simulator/kinds/new-contract.ts'
import type { Account } from '#src/simulator/ledger-state.ts'
import type { Submission } from '#src/simulator/submission.ts'
import type { World } from '#src/simulator/world.ts'

/** What the network answers when its own contract is called, and the transaction that it writes down for it. */
export interface ServiceAnswer {
  readonly output: Uint8Array
  readonly gas: number
  readonly child?: Submission
  readonly logs?: readonly Log[]
}

/** A call or a creation from outside, before it is run. */
export interface AskedCall {
  readonly caller: Party
  /** Whom it calls; a creation has its terms instead. */
  readonly recipient?: Party
  readonly creation?: ContractTerms
  readonly input: Uint8Array
  /** Tinybars. */
  readonly value?: number
  /** Gas that is enough for what its code does. */
  readonly needs: number
  /** It gets too little gas. */
  readonly isScarce?: boolean
  /** What the network's own contracts answer, in their order. */
  readonly services?: readonly ServiceAnswer[]
  /** An account that comes into being when hbar are sent to its address. */
  readonly newAccount?: { readonly account: Account; readonly child: Submission }
  /** Memo of the contracts that contracts make. */
  readonly memo?: string
}

const gasStep = 1_000
const scarceShare = 0.4

/** What a transaction costs before any code runs. */
export function intrinsicGas({ creation, input }: Pick<AskedCall, 'creation' | 'input'>): number {
  let sum = creation ? 53_000 + 2 * Math.ceil(input.length / 32) : 21_000
  for (const byte of input) sum += byte === 0 ? 4 : 16
  return sum
}

/** Somewhat more gas than it needs; one that shall fail of it gets too little. */
export function gasLimitOf({ prng }: World, asked: AskedCall): number {
  const intrinsic = intrinsicGas(asked)
  if (asked.isScarce) return intrinsic + Math.floor(asked.needs * scarceShare * prng.unit())
  return Math.ceil(((intrinsic + asked.needs) * (1.1 + prng.unit())) / gasStep) * gasStep
}
