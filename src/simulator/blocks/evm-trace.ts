import { functionResultOf } from '#src/simulator/blocks/evm-result.ts'
import { type StorageUse, storageUses, type WrittenSlots } from '#src/simulator/blocks/written-slots.ts'
import type { Message } from '#src/simulator/codec.ts'
import type { Emitted } from '#src/simulator/emitted.ts'
import { hexBytes } from '#src/simulator/ids.ts'

/** Of so many transactions one says by itself what others leave to the changes of state: slots, and the code that stays. */
const explicitEvery = 3

/** The EvmTraceData of a transaction; undefined when it ran no code that left a trace. `detailed`: more than logs. */
export function evmTrace(transaction: Emitted, slots: WrittenSlots, detailed: boolean): Message | undefined {
  const logs = logsOf(transaction)
  const { sidecars = [] } = transaction.submission
  const explicit = transaction.time.nanos % explicitEvery === 0
  const details = detailed
    ? { ...actionsIn(sidecars), ...usages(transaction, slots, explicit), ...initcodeIn(sidecars, explicit) }
    : {}
  const trace = { ...details, ...(logs.length > 0 ? { logs } : {}) }
  return Object.keys(trace).length > 0 ? trace : undefined
}

/** Without blooms, which readers make themselves; topics without leading zeros. */
function logsOf(transaction: Emitted): Message[] {
  const logs = (functionResultOf(transaction)?.result['logInfo'] ?? []) as Message[]
  return logs.map(({ contractID, data, topic }) => ({
    contractId: contractID,
    data,
    topics: (topic as Uint8Array[]).map(withoutZeros),
  }))
}

function actionsIn(sidecars: readonly Message[]): Message {
  const contractActions = sidecars.flatMap(({ actions }) => (actions as Message | undefined)?.['contractActions'] ?? [])
  return contractActions.length > 0 ? { contractActions } : {}
}

function usages(transaction: Emitted, slots: WrittenSlots, explicit: boolean): Message {
  const contractSlotUsages = storageUses(transaction).map((use) => usage(use, slots, explicit))
  return contractSlotUsages.length > 0 ? { contractSlotUsages } : {}
}

/** A slot that was written is a place in a list of keys, one that was only read is a key. */
function usage({ owner, contractId, accesses }: StorageUse, slots: WrittenSlots, explicit: boolean): Message {
  const written = accesses.filter((access) => access.written).map(({ slot }) => slot)
  const placeOf = (slot: string) => (explicit ? written.indexOf(slot) : slots.placeOf(owner, slot))
  const slotReads = accesses.map((access) => ({
    ...(access.written ? { index: placeOf(access.slot) } : { key: withoutZeros(hexBytes(access.slot)) }),
    ...(access.read.length > 0 ? { readValue: access.read } : {}),
  }))
  const keys = written.map((slot) => withoutZeros(hexBytes(slot)))
  return { contractId, ...(explicit && keys.length > 0 ? { writtenSlotKeys: { keys } } : {}), slotReads }
}

/** Code around the part of it that stays can do without that: the changes of state have it. */
function initcodeIn(sidecars: readonly Message[], explicit: boolean): Message {
  const bytecode = sidecars.find((sidecar) => 'bytecode' in sidecar)?.['bytecode'] as Message | undefined
  if (!bytecode) return {}
  const { contractId } = bytecode
  const initcode = Buffer.from(bytecode['initcode'] as Uint8Array)
  const runtime = bytecode['runtimeBytecode'] as Uint8Array | undefined
  const start = runtime ? initcode.indexOf(runtime) : -1
  if (!runtime || start < 0 || explicit)
    return { executedInitcode: { ...(contractId ? { contractId } : {}), explicitInitcode: initcode } }
  const initcodeBookends = {
    deployBytecode: initcode.subarray(0, start),
    metadataBytecode: initcode.subarray(start + runtime.length),
  }
  return { executedInitcode: { contractId, initcodeBookends } }
}

function withoutZeros(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => byte !== 0)
  return first < 0 ? new Uint8Array() : bytes.subarray(first)
}
