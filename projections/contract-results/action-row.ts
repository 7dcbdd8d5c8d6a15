import type { ActionRow } from '#projections/contract-results/schema.ts'
import type { ContractAction, ContractActionsSidecar } from '#schemas/events/types.ts'
import { accountNumber, contractNumber, orNull } from '#src/events/ids.ts'

/** Fields of ContractAction that hold what a call gave back. */
const resultType = { output: 11, revertReason: 12, error: 13 } as const

/** The calls of all traces of a transaction. Each trace numbers its own; there is one. */
export function actionRows(time: bigint, sidecars: readonly ContractActionsSidecar[]): ActionRow[] {
  return sidecars.flatMap(({ actions }) =>
    (actions?.contractActions ?? []).map((action, index) => ({ time, index, ...actionFields(action) })),
  )
}

function actionFields(action: ContractAction): Omit<ActionRow, 'time' | 'index'> {
  const { callingAccount, callingContract, recipientAccount, recipientContract, targetedAddress } = action
  return {
    depth: action.callDepth,
    callType: action.callType,
    operation: action.callOperationType,
    caller: orNull(callingContract ? contractNumber(callingContract) : accountNumber(callingAccount)),
    callerIsContract: callingContract ? 1 : 0,
    gas: action.gas,
    gasUsed: action.gasUsed,
    input: action.input,
    recipientAccount: orNull(accountNumber(recipientAccount)),
    recipientContract: orNull(contractNumber(recipientContract)),
    recipientAddress: targetedAddress,
    ...resultOf(action),
    value: action.value,
  }
}

function resultOf({ output, revertReason, error }: ContractAction): Pick<ActionRow, 'resultData' | 'resultType'> {
  if (output !== null) return { resultData: output, resultType: resultType.output }
  if (revertReason !== null) return { resultData: revertReason, resultType: resultType.revertReason }
  return error !== null ? { resultData: error, resultType: resultType.error } : { resultData: null, resultType: 0 }
}
