import type { LedgerHalt } from '#src/evm/halts.ts'

/**
 * How a function that did not do it says so: by what it returns, by a revert with the code as text or as a number, or by a revert
 * that takes all gas.
 */
export type FailureShape = 'told' | 'name' | 'number' | 'allGas'

/** A function of a service did not do what it was asked for: the network's response says why, and nothing has changed. */
export class Failed extends Error {
  readonly response: string
  /** Undefined: as the function does. */
  readonly shape: FailureShape | undefined
  /** What is returned behind the code, where it is not nothing. */
  readonly values: readonly unknown[] | undefined

  constructor(response: string, options: { shape?: FailureShape; values?: readonly unknown[] } = {}) {
    super(response)
    this.response = response
    this.shape = options.shape
    this.values = options.values
  }
}

/** Ends the frame with all its gas, and no child is recorded of it. */
export class Halted extends Error {
  readonly reason: LedgerHalt

  constructor(reason: LedgerHalt = 'INVALID_OPERATION') {
    super(reason)
    this.reason = reason
  }
}

/** Throws what did not hold. */
export function must(holds: boolean, response: string): asserts holds {
  if (!holds) throw new Failed(response)
}
