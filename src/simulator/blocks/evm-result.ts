import type { Message } from '#src/simulator/codec.ts'
import type { Emitted } from '#src/simulator/emitted.ts'
import { accountId } from '#src/simulator/ids.ts'

/** The result of code that a transaction ran, as its record has it. */
export interface FunctionResult {
  readonly creates: boolean
  /** A ContractFunctionResult. */
  readonly result: Message
}

export function functionResultOf({ record }: Emitted): FunctionResult | undefined {
  const created = record['contractCreateResult'] as Message | undefined
  const called = record['contractCallResult'] as Message | undefined
  if (created) return { creates: true, result: created }
  return called && { creates: false, result: called }
}

/**
 * An EvmTransactionResult. With which gas, amount and parameters the code was called stands in the body of who asks for it
 * from outside; only calls from within say it.
 */
export function evmResult({ submission, role }: Emitted, { result }: FunctionResult): Message {
  const { senderId, contractID, contractCallResult, errorMessage, gasUsed, contractNonces, signerNonce } = result
  const { gas, amount, functionParameters } = result
  const context = {
    gas,
    ...(amount ? { value: amount } : {}),
    ...(functionParameters ? { callData: functionParameters } : {}),
  }
  return {
    senderId,
    ...(contractID ? { contractId: contractID } : {}),
    ...(contractCallResult ? { resultData: contractCallResult } : {}),
    ...(errorMessage ? { errorMessage } : {}),
    gasUsed,
    ...(role === 'child' ? { internalCallContext: context } : {}),
    ...(submission.hook ? { executedHookId: hookId(submission.hook) } : {}),
    ...(contractNonces ? { contractNonces } : {}),
    ...(signerNonce ? { signerNonce } : {}),
  }
}

function hookId({ owner, id }: NonNullable<Emitted['submission']['hook']>): Message {
  return { entityId: { accountId: accountId(owner) }, hookId: id }
}
