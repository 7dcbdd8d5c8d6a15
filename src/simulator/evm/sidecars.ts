import type { Message } from '#src/simulator/codec.ts'
import { codeOf } from '#src/simulator/evm/code.ts'
import { type Frame, hasFailed, type PlacedFrame, type SlotAccess } from '#src/simulator/evm/frame.ts'
import { accountId, contractId, hexBytes, systemContracts, wrapped } from '#src/simulator/ids.ts'

const callTypes = { call: 1, create: 2, system: 4 } as const
const operations = { call: 1, staticCall: 4, create: 5, create2: 6 } as const

/** The trace of a call, its storage and the code that it made, as sidecar records without their timestamps. */
export function sidecarsOf(frames: readonly PlacedFrame[]): Message[] {
  const actions = { actions: { contractActions: frames.map(actionOf) } }
  const top = frames[0]?.frame
  if (!top || hasFailed(top)) return [actions, ...(top ? failedCode(top) : [])]
  const storage = storageOf(frames.map(({ frame }) => frame))
  if (storage.size === 0) return [actions]
  const contractStateChanges = [...storage].map(([num, accesses]) => ({
    contractId: contractId(num),
    storageChanges: [...accesses.values()].map(storageChange),
  }))
  return [{ stateChanges: { contractStateChanges } }, actions]
}

/** Whose creation failed is not known any more, only with which code. */
function failedCode({ operation, input }: Frame): Message[] {
  return operation === 'create' ? [{ bytecode: { initcode: input } }] : []
}

export function codeSidecar({ creation, input }: Frame): Message[] {
  if (!creation) return []
  const { num, code } = creation.contract
  return [{ bytecode: { contractId: contractId(num), initcode: input, runtimeBytecode: codeOf(code).runtime } }]
}

function actionOf({ frame, depth, gas, gasUsed }: PlacedFrame): Message {
  const { operation, caller, recipient, value = 0 } = frame
  const creates = operation === 'create' || operation === 'create2'
  const system = recipient?.num === systemContracts.tokenService
  return {
    callType: creates ? callTypes.create : system ? callTypes.system : callTypes.call,
    callOperationType: operations[operation],
    ...(caller.contract ? { callingContract: contractId(caller.num) } : { callingAccount: accountId(caller.num) }),
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
  if (recipient === null) return {}
  return recipient.contract
    ? { recipientContract: contractId(recipient.num) }
    : { recipientAccount: accountId(recipient.num) }
}

function resultOf({ end }: Frame): Message {
  if ('output' in end) return { output: end.output }
  return 'revert' in end ? { revertReason: end.revert } : { error: Buffer.from(end.error) }
}

/** What each contract's storage was before and is after everything, by contract and slot. */
export function storageOf(frames: readonly Frame[]): Map<number, Map<string, SlotAccess>> {
  const storage = new Map<number, Map<string, SlotAccess>>()
  for (const { recipient, storage: accesses = [] } of frames) {
    if (recipient === null || accesses.length === 0) continue
    const slots = storage.get(recipient.num) ?? new Map<string, SlotAccess>()
    storage.set(recipient.num, slots)
    for (const access of accesses) {
      const earlier = slots.get(access.slot)
      slots.set(access.slot, earlier ? { ...earlier, ...access, before: earlier.before } : access)
    }
  }
  return storage
}

function storageChange({ slot, before, after }: SlotAccess): Message {
  return {
    slot: trimmed(slot),
    valueRead: trimmed(before),
    ...(after === undefined || after === before ? {} : { valueWritten: wrapped(trimmed(after)) }),
  }
}

/** Sidecars carry slots and values without leading zero bytes. */
function trimmed(hex: string): Buffer {
  const digits = hex.length % 2 === 0 ? hex : `0${hex}`
  return hexBytes(digits.replace(/^(00)+/, ''))
}
