import { EVMError, type EVMResult, type Message } from '@ethereumjs/evm'
import { haltOf, type LedgerHalt, ServiceRevert } from '#src/evm/halts.ts'

const empty = new Uint8Array(0)

/** A frame that ends where the network's rules end it, with all its gas. */
export function halted(message: Message, reason: LedgerHalt): EVMResult {
  const execResult = { executionGasUsed: message.gasLimit, exceptionError: haltOf(reason), returnValue: empty }
  return { execResult }
}

export function outOfGas(message: Message): EVMResult {
  const exceptionError = new EVMError(EVMError.errorMessages.OUT_OF_GAS)
  return { execResult: { executionGasUsed: message.gasLimit, exceptionError, returnValue: empty } }
}

export function succeeded(message: Message, gasUsed: bigint, output: Uint8Array = empty): EVMResult {
  return { execResult: { executionGasUsed: gasUsed, returnValue: output, gasRefund: message.gasRefund } }
}

/** Of a service: only who calls it straight from outside sees what it reverts with. */
export function serviceReverted(message: Message, gasUsed: bigint, reason: Uint8Array): EVMResult {
  const returnValue = message.depth === 0 ? reason : empty
  return { execResult: { executionGasUsed: gasUsed, exceptionError: new ServiceRevert(reason), returnValue } }
}
