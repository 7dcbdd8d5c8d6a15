import { bloomOf, uniteBlooms } from '#src/domain/log-bloom.ts'
import type { Message } from '#src/simulator/codec.ts'
import type { BlockTransaction } from '#test/simulator/blocks/block-transactions.ts'
import type { SlotReads } from '#test/simulator/blocks/records-of-blocks.ts'
import { hookName, type StateContext } from '#test/simulator/blocks/state-context.ts'

export interface Ran {
  readonly record: Message
  readonly receipt: Message
  readonly sidecars: readonly Message[]
}

const hookContract = 365
const trimmed = (bytes: unknown) =>
  Buffer.from((bytes ?? []) as Uint8Array)
    .toString('hex')
    .replace(/^(00)+/, '')
const bytes = (hex: string) => Buffer.from(hex, 'hex')
const numOf = (id: unknown) => Number((id as Message | undefined)?.['contractNum'] ?? 0)

/** What code did, from the output and the trace of a transaction. */
export function contractResultOf(transaction: BlockTransaction, context: StateContext, reads: SlotReads): Ran {
  const found = evmResultIn(transaction)
  if (!found) return { record: {}, receipt: {}, sidecars: [] }
  const { evm, creates } = found
  const trace = (transaction.traces.find((each) => 'evmTraceData' in each)?.['evmTraceData'] ?? {}) as Message
  const { contractId, senderId, resultData, errorMessage, gasUsed, contractNonces, signerNonce } = evm
  const { gas, value, callData } = (evm['internalCallContext'] ?? {}) as Message
  const address = creates ? context.aliases.get(numOf(contractId)) : undefined
  const result = {
    ...present({ contractID: contractId, contractCallResult: resultData, errorMessage, gasUsed, senderId }),
    ...present({ contractNonces, signerNonce, gas, amount: value, functionParameters: callData }),
    ...(address ? { evmAddress: { value: bytes(address) } } : {}),
    ...logFields((trace['logs'] ?? []) as Message[]),
  }
  const sidecars = [
    ...codeSidecar(transaction, numOf(contractId), trace, context),
    ...storageSidecar(trace, evm, context, reads),
    ...(trace['contractActions'] ? [{ actions: { contractActions: trace['contractActions'] } }] : []),
  ]
  const record = { [creates ? 'contractCreateResult' : 'contractCallResult']: result }
  return { record, receipt: contractId && gasUsed ? { contractID: contractId } : {}, sidecars }
}

function present(fields: Message): Message {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

function evmResultIn({ outputs }: BlockTransaction): { evm: Message; creates: boolean } | undefined {
  const { contractCall, contractCreate, ethereumCall } = Object.assign({}, ...outputs) as { [name: string]: Message }
  if (contractCreate) return { evm: contractCreate['evmTransactionResult'] as Message, creates: true }
  if (contractCall) return { evm: contractCall['evmTransactionResult'] as Message, creates: false }
  const created = ethereumCall?.['evmCreateTransactionResult'] as Message | undefined
  if (created) return { evm: created, creates: true }
  const called = ethereumCall?.['evmCallTransactionResult'] as Message | undefined
  return called && { evm: called, creates: false }
}

/** Topics have no leading zeros, and the address that counts is what the number of the contract stands for. */
function logFields(logs: readonly Message[]): Message {
  if (logs.length === 0) return {}
  const logInfo = logs.map(({ contractId, data, topics = [] }) => {
    const topic = (topics as Uint8Array[]).map((each) => bytes(trimmed(each).padStart(64, '0')))
    const address = numOf(contractId).toString(16).padStart(40, '0')
    return { contractID: contractId, bloom: bloomOf(bytes(address), topic), topic, ...present({ data }) }
  })
  return { logInfo, bloom: logInfo.map(({ bloom }) => bloom).reduce(uniteBlooms) }
}

function codeSidecar({ kind }: BlockTransaction, num: number, trace: Message, context: StateContext): Message[] {
  const runtime = context.codes.get(num)
  if (kind !== 'contractCreateInstance' || runtime === undefined) return []
  const { explicitInitcode, initcodeBookends } = (trace['executedInitcode'] ?? {}) as Message
  const { deployBytecode = [], metadataBytecode = [] } = (initcodeBookends ?? {}) as { [part: string]: Uint8Array }
  const around = () => Buffer.concat([Buffer.from(deployBytecode), bytes(runtime), Buffer.from(metadataBytecode)])
  const initcode = explicitInitcode ?? (initcodeBookends ? around() : undefined)
  return [{ bytecode: { contractId: { contractNum: num }, ...present({ initcode }), runtimeBytecode: bytes(runtime) } }]
}

function storageSidecar(trace: Message, evm: Message, context: StateContext, reads: SlotReads): Message[] {
  const usages = (trace['contractSlotUsages'] ?? []) as Message[]
  if (usages.length === 0) return []
  const own: [string, string][] = []
  const contractStateChanges = usages.map(({ contractId, writtenSlotKeys, slotReads = [] }) => {
    const isHook = numOf(contractId) === hookContract
    const owner = isHook ? hookName(evm['executedHookId']) : String(numOf(contractId))
    const keys = ((writtenSlotKeys as Message | undefined)?.['keys'] ?? []) as Uint8Array[]
    const changed = context.slots.get(owner) ?? []
    const slotAt = (index: number) => (keys.length > 0 ? trimmed(keys[index]) : changed[index]!.slot)
    const storageChanges = (slotReads as Message[]).map((read) => {
      const isWritten = read['identifier'] === 'index'
      const slot = isWritten ? slotAt(Number(read['index'] ?? 0)) : trimmed(read['key'])
      const valueRead = trimmed(read['readValue'])
      own.push([`${owner} ${slot}`, valueRead])
      const final = changed.find((each) => each.slot === slot)?.value
      const written = isWritten ? (reads.get(`${owner} ${slot}`) ?? final) : undefined
      if (isWritten && written === undefined) throw new Error(`nothing says what ${owner} wrote to ${slot}`)
      return {
        ...present({ slot: bytes(slot), valueRead: bytes(valueRead) }),
        ...(written === undefined ? {} : { valueWritten: { value: bytes(written) } }),
      }
    })
    return { contractId, storageChanges }
  })
  for (const [slot, value] of own) reads.set(slot, value)
  return [{ stateChanges: { contractStateChanges } }]
}
