import type { EvmResult } from '#src/importer/block/records/evm/evm-result.ts'
import type { EvmTrace, ExecutedInitcode } from '#src/importer/block/records/evm/evm-trace.ts'
import { MessageWriter } from '#src/importer/block/records/message-writer.ts'
import { bytecodeOf } from '#src/importer/block/records/state/bytecodes.ts'
import type { StateContext } from '#src/importer/block/records/state/state-context.ts'

// Fields of TransactionSidecarRecord.
const stateChanges = 3
const actions = 4
const bytecode = 5

const writer = new MessageWriter()

/** A serialized TransactionSidecarRecord. */
function sidecar(timestamp: Buffer, field: number, content: Buffer): Buffer {
  writer.message(1, timestamp)
  writer.message(field, content)
  return writer.finish()
}

export function actionsSidecar(timestamp: Buffer, trace: EvmTrace): Buffer | undefined {
  if (trace.actions.length === 0) return undefined
  writer.messages(1, trace.actions)
  return sidecar(timestamp, actions, writer.finish())
}

/** `changes`: serialized ContractStateChanges of one contract each. */
export function stateChangesSidecar(timestamp: Buffer, changes: readonly Buffer[]): Buffer | undefined {
  if (changes.length === 0) return undefined
  writer.messages(1, changes)
  return sidecar(timestamp, stateChanges, writer.finish())
}

/** Code that was executed to create a contract, and what it left behind. */
export function initcodeSidecar(
  timestamp: Buffer,
  result: EvmResult,
  initcode: ExecutedInitcode,
  context: StateContext,
): Buffer {
  const contract = initcode.contract ?? result.contract
  const runtime = contract && bytecodeOf(context, contract)
  writer.message(1, initcode.contractId ?? result.contractId)
  writer.bytes(2, executedCode(initcode, runtime))
  writer.bytes(3, runtime)
  return sidecar(timestamp, bytecode, writer.finish())
}

function executedCode({ explicit, bookends }: ExecutedInitcode, runtime: Buffer | undefined): Buffer | undefined {
  if (!bookends) return explicit
  const [deploy, metadata] = bookends
  return Buffer.concat([deploy, runtime ?? Buffer.alloc(0), metadata])
}

/** The same where the body of the creation has the code. */
export function runtimeSidecar(timestamp: Buffer, result: EvmResult, context: StateContext): Buffer | undefined {
  const runtime = result.contract && bytecodeOf(context, result.contract)
  if (runtime === undefined) return undefined
  writer.message(1, result.contractId)
  writer.bytes(3, runtime)
  return sidecar(timestamp, bytecode, writer.finish())
}
