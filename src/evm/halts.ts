import { EVMError } from '@ethereumjs/evm'

/** Why a frame ends where only the network's rules end it. */
export type LedgerHalt =
  | 'INVALID_SOLIDITY_ADDRESS'
  | 'INVALID_ALIAS_KEY'
  | 'INVALID_CONTRACT_ID'
  | 'OBTAINER_SAME_CONTRACT_ID'
  | 'ILLEGAL_STATE_CHANGE'
  | 'INVALID_OPERATION'
  | 'PRECOMPILE_ERROR'
  | 'NO_REASON'

/** The library knows errors by their text alone, and takes any. */
export function haltOf(reason: LedgerHalt): EVMError {
  return new EVMError(reason as unknown as ConstructorParameters<typeof EVMError>[0])
}

const { errorMessages } = EVMError

/** A service took back what it did. What it says of it is told to whoever called it from outside, and shown in traces. */
export class ServiceRevert extends EVMError {
  readonly reason: Uint8Array

  constructor(reason: Uint8Array) {
    super(errorMessages.REVERT)
    this.reason = reason
  }
}

const responses: Readonly<Record<string, string>> = {
  [errorMessages.REVERT]: 'CONTRACT_REVERT_EXECUTED',
  [errorMessages.OUT_OF_GAS]: 'INSUFFICIENT_GAS',
  [errorMessages.CODESTORE_OUT_OF_GAS]: 'INSUFFICIENT_GAS',
  [errorMessages.STATIC_STATE_CHANGE]: 'LOCAL_CALL_MODIFICATION_EXCEPTION',
  ILLEGAL_STATE_CHANGE: 'LOCAL_CALL_MODIFICATION_EXCEPTION',
  INVALID_SOLIDITY_ADDRESS: 'INVALID_SOLIDITY_ADDRESS',
  INVALID_ALIAS_KEY: 'INVALID_ALIAS_KEY',
  INVALID_CONTRACT_ID: 'INVALID_CONTRACT_ID',
  OBTAINER_SAME_CONTRACT_ID: 'OBTAINER_SAME_CONTRACT_ID',
}

/** The response of the network to a transaction whose outermost frame ended so. */
export function responseOf(error: EVMError): string {
  return responses[error.error] ?? 'CONTRACT_EXECUTION_EXCEPTION'
}

const names: Readonly<Record<string, string>> = {
  [errorMessages.OUT_OF_GAS]: 'INSUFFICIENT_GAS',
  [errorMessages.CODESTORE_OUT_OF_GAS]: 'INSUFFICIENT_GAS',
  [errorMessages.INVALID_OPCODE]: 'INVALID_OPERATION',
  [errorMessages.INVALID_JUMP]: 'INVALID_JUMP_DESTINATION',
  [errorMessages.STACK_UNDERFLOW]: 'INSUFFICIENT_STACK_ITEMS',
  [errorMessages.STACK_OVERFLOW]: 'TOO_MANY_STACK_ITEMS',
  [errorMessages.STATIC_STATE_CHANGE]: 'ILLEGAL_STATE_CHANGE',
  [errorMessages.CREATE_COLLISION]: 'ILLEGAL_STATE_CHANGE',
  [errorMessages.CODESIZE_EXCEEDS_MAXIMUM]: 'CODE_TOO_LARGE',
  [errorMessages.INITCODE_SIZE_VIOLATION]: 'CODE_TOO_LARGE',
  [errorMessages.INVALID_BYTECODE_RESULT]: 'INVALID_CODE',
  [errorMessages.OUT_OF_RANGE]: 'OUT_OF_BOUNDS',
}

/** Why a frame halted, in the network's words; null for one that did not, or that only took back what it did. */
export function haltName(error: EVMError | undefined): string | null {
  if (error === undefined || error.error === errorMessages.REVERT) return null
  return names[error.error] ?? (/^[A-Z_]+$/.test(error.error) ? error.error : 'PRECOMPILE_ERROR')
}

/** Halts that end all frames around theirs as well. */
export function isPropagating(error: EVMError): boolean {
  return (error.error as string) === 'INVALID_CONTRACT_ID'
}
