import type { Fail } from '#src/domain/field-reader.ts'
import { type BlockTransaction, isChild } from '#src/importer/block/records/block-transaction.ts'
import { askedFor } from '#src/importer/block/records/evm/asked.ts'
import type { EvmResult } from '#src/importer/block/records/evm/evm-result.ts'
import type { EvmTrace } from '#src/importer/block/records/evm/evm-trace.ts'
import { writeLogs } from '#src/importer/block/records/evm/logs.ts'
import { fieldValue } from '#src/importer/block/records/field-values.ts'
import { idText, readId } from '#src/importer/block/records/ids.ts'
import { MessageWriter } from '#src/importer/block/records/message-writer.ts'
import { aliasOf } from '#src/importer/block/records/state/accounts.ts'
import { bytecodeOf } from '#src/importer/block/records/state/bytecodes.ts'
import type { StateContext } from '#src/importer/block/records/state/state-context.ts'

export interface ContractResultParts {
  readonly transaction: BlockTransaction
  readonly result: EvmResult
  readonly trace: EvmTrace | undefined
  readonly context: StateContext
  /** Call data that was uploaded as a file before. */
  readonly uploaded: Buffer | undefined
  readonly fail: Fail
}

const writer = new MessageWriter()

/** The ContractFunctionResult that a record would have. */
export function writeContractResult(parts: ContractResultParts): Buffer {
  const { transaction, result, trace, context, uploaded, fail } = parts
  const { logs, bloom } = writeLogs(trace?.logs ?? [])
  const asked = askedFor(result, transaction.body, fail, uploaded)
  const ownAddress = result.isCreate && result.contract ? aliasOf(context, result.contract) : undefined
  writer.message(1, result.contractId)
  writer.bytes(2, result.resultData)
  writer.bytes(3, result.errorMessage)
  writer.bytes(4, bloom)
  writer.number(5, result.gasUsed)
  writer.messages(6, logs)
  writer.messages(7, createdContracts(parts))
  if (ownAddress) writer.nested(9, () => writer.bytes(1, ownAddress))
  writer.number(10, asked?.gas ?? 0n)
  writer.number(11, asked?.amount ?? 0n)
  writer.bytes(12, asked?.parameters)
  writer.message(13, result.sender)
  writer.messages(14, result.nonces)
  writer.message(15, result.signerNonce)
  return writer.finish()
}

/** Serialized ContractIDs of what came into being: it has a nonce from then on, and code. Children leave it to who asked for them. */
function createdContracts({ transaction, result, context, fail }: ContractResultParts): Buffer[] {
  if (!transaction.successful || isChild(transaction)) return []
  const created = new Map<string, Buffer>()
  if (result.isCreate && result.contract && result.contractId) created.set(idText(result.contract), result.contractId)
  for (const nonce of result.nonces) {
    const message = fieldValue(nonce, 1, fail)
    const id = readId(message, fail)
    if (message && id && bytecodeOf(context, id)) created.set(idText(id), message)
  }
  return [...created.values()]
}
