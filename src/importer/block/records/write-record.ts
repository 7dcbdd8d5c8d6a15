import type { BlockTransaction } from '#src/importer/block/records/block-transaction.ts'
import { MessageWriter } from '#src/importer/block/records/message-writer.ts'
import type { RecordDraft } from '#src/importer/block/records/record-draft.ts'

const writer = new MessageWriter()

/** Of messages of topics; all networks that write blocks have this one. */
const runningHashVersion = 3

export interface RecordParts {
  readonly transaction: BlockTransaction
  readonly draft: RecordDraft
  /** SHA-384 of the transaction, as a text of one character a byte. */
  readonly hash: string | undefined
  /** Serialized ExchangeRateSet in force; undefined where it is not known. */
  readonly exchangeRates: Buffer | undefined
}

/** The serialized TransactionRecord that a record file would have. */
export function writeRecord(parts: RecordParts): Buffer {
  const { transaction, draft, hash } = parts
  const { result, body } = transaction
  writer.nested(1, () => writeReceipt(parts))
  writer.latin1(2, hash)
  writer.message(3, result.timestamp)
  writer.message(4, body.transactionId)
  writer.bytes(5, body.memo)
  writer.number(6, result.fee)
  writer.message(7, draft.contractCallResult)
  writer.message(8, draft.contractCreateResult)
  writer.message(10, result.transferList)
  writer.messages(11, result.tokenTransferLists)
  writer.message(12, result.scheduleRef)
  writer.messages(13, result.customFees)
  writer.messages(14, result.associations)
  writer.message(15, parentOf(transaction))
  writer.bytes(16, draft.alias)
  writer.bytes(17, draft.ethereumHash)
  writer.messages(18, result.stakingRewards)
  writer.message(19, draft.prngBytes)
  if (draft.prngNumber !== undefined) writer.someNumber(20, draft.prngNumber)
  writer.bytes(21, draft.evmAddress)
  writer.messages(22, draft.newPendingAirdrops ?? [])
  writer.number(23, result.highVolumeMultiplier)
  return writer.finish()
}

/**
 * Serialized time of the parent. A block names as parent of a scheduled transaction the one whose signature made it execute; in records it
 * stands by itself.
 */
function parentOf({ result }: BlockTransaction): Buffer | undefined {
  return result.scheduleRef ? undefined : result.parentTimestamp
}

function writeReceipt({ transaction, draft, exchangeRates }: RecordParts): void {
  writer.number(1, transaction.result.status)
  writer.message(2, draft.accountId)
  writer.message(3, draft.fileId)
  writer.message(4, draft.contractId)
  // What belongs to another transaction repeats nothing of what holds for both.
  if (!parentOf(transaction)) writer.message(5, exchangeRates)
  writer.message(6, draft.topicId)
  writer.number(7, draft.topicSequenceNumber ?? 0n)
  writer.bytes(8, draft.topicRunningHash)
  if (draft.topicRunningHash) writer.number(9, runningHashVersion)
  writer.message(10, draft.tokenId)
  writer.number(11, draft.newTotalSupply ?? 0n)
  writer.message(12, draft.scheduleId)
  writer.message(13, draft.scheduledTransactionId)
  writer.packed(14, draft.serialNumbers ?? [])
  writer.number(15, draft.nodeId ?? 0n)
  writer.number(16, draft.registeredNodeId ?? 0n)
}
