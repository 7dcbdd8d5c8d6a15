import type { Message } from '#src/simulator/codec.ts'
import { codeOf } from '#src/simulator/evm/code.ts'
import type { Execution, SlotAccess } from '#src/simulator/evm/execute.ts'
import { type Frame, hasFailed, isCreation, isService } from '#src/simulator/evm/frame.ts'
import { accountId, contractId, hexBytes, wrapped } from '#src/simulator/ids.ts'

const callTypes = { call: 1, create: 2, system: 4 } as const
const operations = { call: 1, callCode: 2, delegateCall: 3, staticCall: 4, create: 5, create2: 6 } as const

/** The trace of a call, its storage and the code that it made, as sidecar records without their timestamps. */
export function sidecarsOf({ frames, storage }: Execution): Message[] {
  const actions = { actions: { contractActions: frames.map(actionOf) } }
  const [top] = frames
  if (hasFailed(top)) return [actions, ...failedCode(top)]
  if (storage.size === 0) return [actions]
  const contractStateChanges = [...storage].map(([num, accesses]) => ({
    contractId: contractId(num),
    storageChanges: accesses.map(storageChange),
  }))
  return [{ stateChanges: { contractStateChanges } }, actions]
}

/** Whose creation failed is not known any more, only with which code. */
function failedCode(frame: Frame): Message[] {
  return isCreation(frame) ? [{ bytecode: { initcode: frame.input } }] : []
}

export function codeSidecar({ creation, input }: Frame): Message[] {
  if (!creation) return []
  const { num, code } = creation.contract
  return [{ bytecode: { contractId: contractId(num), initcode: input, runtimeBytecode: codeOf(code).runtime } }]
}

function actionOf(frame: Frame): Message {
  const { operation, caller, recipient, value, gas, gasUsed, depth } = frame
  const creates = isCreation(frame)
  const system = recipient !== undefined && isService(recipient.num)
  return {
    callType: creates ? callTypes.create : system ? callTypes.system : callTypes.call,
    callOperationType: operations[operation],
    ...(caller &&
      (caller.contract ? { callingContract: contractId(caller.num) } : { callingAccount: accountId(caller.num) })),
    ...recipientOf(frame),
    gas,
    gasUsed,
    ...(creates ? {} : { input: frame.input }),
    ...(value > 0 ? { value } : {}),
    ...(depth > 0 ? { callDepth: depth } : {}),
    ...resultOf(frame),
  }
}

function recipientOf({ recipient }: Frame): Message {
  if (!recipient) return {}
  return recipient.contract
    ? { recipientContract: contractId(recipient.num) }
    : { recipientAccount: accountId(recipient.num) }
}

function resultOf({ end }: Frame): Message {
  if ('output' in end) return { output: end.output }
  return 'revert' in end ? { revertReason: end.revert } : { error: Buffer.from(end.error) }
}

function storageChange({ slot, before, after }: SlotAccess): Message {
  return {
    slot: trimmed(slot),
    valueRead: trimmed(before),
    ...(after === before ? {} : { valueWritten: wrapped(trimmed(after)) }),
  }
}

/** Sidecars carry slots and values without leading zero bytes. */
function trimmed(hex: string): Buffer {
  const digits = hex.length % 2 === 0 ? hex : `0${hex}`
  return hexBytes(digits.replace(/^(00)+/, ''))
}
