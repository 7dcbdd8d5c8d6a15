import { type Fail, FieldReader } from '#src/domain/field-reader.ts'
import { transactionType } from '#src/domain/transaction-types.ts'
import type { BlockTransaction } from '#src/importer/block/records/block-transaction.ts'
import { output } from '#src/importer/block/records/outputs.ts'

// Fields of a TraceData.
const evmTrace = 1
const messageTrace = 2

const evmOutputs: ReadonlySet<number> = new Set([output.contractCall, output.contractCreate, output.ethereum])

/**
 * Traces have a tree of their own, so that a block's hash does not tell whose they are. Throws where they stand behind a transaction that
 * cannot have them: at most one of code behind each that ran some, and one of a message behind each message.
 */
export function assertTraces(transaction: BlockTransaction, fail: Fail): void {
  const { traces, outputs, body, result } = transaction
  if (traces.length === 0) return
  const kinds = traces.map((trace) => kindOf(trace, fail))
  const counts = [evmTrace, messageTrace].map((kind) => kinds.filter((one) => one === kind).length)
  const ranCode = outputs.some((one) => evmOutputs.has(kindOf(one, fail)))
  const most = [Number(ranCode), Number(body.type === transactionType.topicMessage)]
  if (counts.every((count, index) => count <= most[index]!)) return
  throw fail(`the transaction at ${result.time} ns has traces of another one`)
}

/** The number of the one field that a message which is a choice has; the first, should there be more. */
function kindOf(message: Buffer, fail: Fail): number {
  const fields = new FieldReader(message, fail)
  return fields.next() ? fields.field : 0
}
