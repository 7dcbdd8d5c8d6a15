import type { SignedBody } from '#src/importer/block/records/signed-body.ts'
import type { TransactionResult } from '#src/importer/block/records/transaction-result.ts'

/** A transaction of a block with everything that the block tells of it. */
export interface BlockTransaction {
  /** Serialized SignedTransaction; undefined where the network has redacted it. */
  readonly signed: Buffer | undefined
  /** SHA-384 that a redacted transaction had. */
  readonly redactedHash: Buffer | undefined
  readonly body: SignedBody
  readonly result: TransactionResult
  /** Serialized TransactionOutputs and TraceData, in order. */
  readonly outputs: Buffer[]
  readonly traces: Buffer[]
  /** The one that this one belongs to, where it stands in the same block. */
  readonly parent: BlockTransaction | undefined
  /** With its parent, if any. */
  readonly successful: boolean
  /** One of the transactions inside a batch. */
  readonly isInner: boolean
}

/**
 * Whether the network made a transaction for another one. Transactions of a batch were submitted, and so were those that a signature made
 * execute, although a block names parents of theirs.
 */
export function isChild({ result: { parentTime, scheduleRef }, isInner }: BlockTransaction): boolean {
  return parentTime !== undefined && scheduleRef === undefined && !isInner
}

/** The transaction for which the network committed what this one changed: itself, or the top of its family. */
export function topOf(transaction: BlockTransaction): BlockTransaction {
  let top = transaction
  while (top.parent) top = top.parent
  return top
}
