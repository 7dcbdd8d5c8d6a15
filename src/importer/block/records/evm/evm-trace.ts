import { type Fail, FieldReader } from '#src/domain/field-reader.ts'
import type { BlockTransaction } from '#src/importer/block/records/block-transaction.ts'
import { fieldValue, fieldValues } from '#src/importer/block/records/field-values.ts'
import { type MessageId, readId } from '#src/importer/block/records/ids.ts'

/** An EvmTraceData. */
export interface EvmTrace {
  /** Serialized ContractActions. */
  readonly actions: readonly Buffer[]
  readonly slotUsages: readonly SlotUsage[]
  readonly initcode: ExecutedInitcode | undefined
  readonly logs: readonly TracedLog[]
}

export interface SlotUsage {
  /** Serialized ContractID. */
  readonly contractId: Buffer
  /** Whose storage it is; 0.0.365 stands for that of the hook that ran. */
  readonly contract: MessageId
  /** Keys that places point into; where there are none, they point into what changed in the state. */
  readonly writtenKeys: readonly Buffer[]
  readonly reads: readonly SlotRead[]
}

export interface SlotRead {
  /** Place among the slots that were written too. */
  readonly index: number | undefined
  /** The slot itself, where it was only read. */
  readonly key: Buffer | undefined
  readonly value: Buffer
}

export interface ExecutedInitcode {
  readonly contractId: Buffer | undefined
  readonly contract: MessageId | undefined
  readonly explicit: Buffer | undefined
  /** What stands before and behind the runtime bytecode. */
  readonly bookends: readonly [deploy: Buffer, metadata: Buffer] | undefined
}

export interface TracedLog {
  /** Serialized ContractID. */
  readonly contractId: Buffer
  readonly contract: MessageId
  readonly data: Buffer
  /** Leading zeros may be missing. */
  readonly topics: readonly Buffer[]
}

const evmTrace = 1

/** The first counts; there should be no other. */
export function evmTraceOf({ traces }: BlockTransaction, fail: Fail): EvmTrace | undefined {
  for (const trace of traces) {
    const message = fieldValue(trace, evmTrace, fail)
    if (message) return readTrace(message, fail)
  }
  return undefined
}

function readTrace(message: Buffer, fail: Fail): EvmTrace {
  const initcode = fieldValue(message, 4, fail)
  return {
    actions: fieldValues(message, 1, fail),
    slotUsages: fieldValues(message, 2, fail).map((usage) => readSlotUsage(usage, fail)),
    initcode: initcode && readInitcode(initcode, fail),
    logs: fieldValues(message, 5, fail).map((log) => readLog(log, fail)),
  }
}

function readSlotUsage(message: Buffer, fail: Fail): SlotUsage {
  const contractId = fieldValue(message, 1, fail) ?? message.subarray(0, 0)
  const written = fieldValue(message, 3, fail)
  return {
    contractId,
    contract: readId(contractId, fail)!,
    writtenKeys: written ? fieldValues(written, 1, fail) : [],
    reads: fieldValues(message, 4, fail).map((read) => readSlotRead(read, fail)),
  }
}

function readSlotRead(message: Buffer, fail: Fail): SlotRead {
  const fields = new FieldReader(message, fail)
  let index: number | undefined
  let key: Buffer | undefined
  let value = message.subarray(0, 0)
  while (fields.next()) {
    if (fields.field === 1) index = fields.int32()
    else if (fields.field === 2) key = fields.bytes()
    else if (fields.field === 3) value = fields.bytes()
  }
  return { index, key, value }
}

function readInitcode(message: Buffer, fail: Fail): ExecutedInitcode {
  const contractId = fieldValue(message, 1, fail)
  const ends = fieldValue(message, 2, fail)
  const empty = message.subarray(0, 0)
  return {
    contractId,
    contract: readId(contractId, fail),
    explicit: fieldValue(message, 3, fail),
    bookends: ends && [fieldValue(ends, 1, fail) ?? empty, fieldValue(ends, 2, fail) ?? empty],
  }
}

function readLog(message: Buffer, fail: Fail): TracedLog {
  const contractId = fieldValue(message, 1, fail) ?? message.subarray(0, 0)
  return {
    contractId,
    contract: readId(contractId, fail)!,
    data: fieldValue(message, 2, fail) ?? message.subarray(0, 0),
    topics: fieldValues(message, 3, fail),
  }
}
