import { type Fail, FieldReader } from '#src/domain/field-reader.ts'
import type { BlockTransaction } from '#src/importer/block/records/block-transaction.ts'
import { askedFor } from '#src/importer/block/records/evm/asked.ts'
import type { EvmResult } from '#src/importer/block/records/evm/evm-result.ts'
import type { EvmTrace } from '#src/importer/block/records/evm/evm-trace.ts'
import { idText, type MessageId, readId } from '#src/importer/block/records/ids.ts'

/** Code that ran for a transaction. */
export interface TracedExecution {
  readonly transaction: BlockTransaction
  readonly result: EvmResult
  readonly trace: EvmTrace | undefined
}

/** What a trace tells of the transaction that it is of. */
interface Traced {
  readonly isCreate: boolean | undefined
  readonly sender: MessageId | undefined
  readonly contract: MessageId | undefined
  /** Call data, and the gas that was left for it. */
  readonly input: Buffer | undefined
  readonly gas: bigint | undefined
}

/**
 * Which transaction a trace stands behind is not part of the block's hash. Throws where one does not tell of its own, and does of another
 * one of the block: then it was moved. What fits none is let pass, as the network may tell more than is known here.
 */
export function assertTracePlaces(executions: readonly TracedExecution[], fail: Fail): void {
  for (const one of executions) {
    const traced = one.trace && tracedBy(one.trace, fail)
    if (!traced || fits(traced, one, fail)) continue
    const other = executions.find((each) => each !== one && fits(traced, each, fail))
    if (other)
      throw fail(
        `the trace behind the transaction at ${one.transaction.result.time} ns is that of the one at ${other.transaction.result.time} ns`,
      )
  }
}

// Fields of a ContractAction, and the type of one that creates.
const action = { type: 1, account: 2, gas: 4, input: 5, recipient: 7 } as const
const createType = 2

/** By its first action, which is the call itself; without actions by the contract whose code was executed. */
function tracedBy({ actions: [first], initcode }: EvmTrace, fail: Fail): Traced | undefined {
  const nothing = { sender: undefined, input: undefined, gas: undefined }
  if (!first) return initcode?.contract && { ...nothing, isCreate: true, contract: initcode.contract }
  const fields = new FieldReader(first, fail)
  let type = 0
  let gas = 0n
  let [sender, contract]: (MessageId | undefined)[] = []
  let input: Buffer = first.subarray(0, 0)
  while (fields.next()) {
    if (fields.field === action.type) type = fields.int32()
    else if (fields.field === action.account) sender = readId(fields.bytes(), fail)
    else if (fields.field === action.gas) gas = fields.int64()
    else if (fields.field === action.input) input = fields.bytes()
    else if (fields.field === action.recipient) contract = readId(fields.bytes(), fail)
  }
  return { isCreate: type === createType, sender, contract, input, gas }
}

function fits(traced: Traced, { result, transaction }: TracedExecution, fail: Fail): boolean {
  const { isCreate, sender, contract, input, gas } = traced
  if (isCreate !== undefined && isCreate !== result.isCreate) return false
  if (differ(contract, result.contract) || differ(sender, readId(result.sender, fail))) return false
  const asked = askedFor(result, transaction.body, fail)
  if (asked === undefined) return true
  if (gas !== undefined && asked.gas > 0n && gas > asked.gas) return false
  const isTold = input !== undefined && asked.parameters !== undefined && asked.parameters.length > 0
  return !isTold || result.isCreate || input.equals(asked.parameters)
}

function differ(one: MessageId | undefined, other: MessageId | undefined): boolean {
  return one !== undefined && other !== undefined && idText(one) !== idText(other)
}
