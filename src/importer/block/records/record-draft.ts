import type { Fail } from '#src/domain/field-reader.ts'
import type { BlockTransaction } from '#src/importer/block/records/block-transaction.ts'
import type { StateContext } from '#src/importer/block/records/state/state-context.ts'

/** Fields of a receipt and a record that the result of a transaction does not have as they are. Ids are serialized. */
export interface RecordDraft {
  accountId?: Buffer
  fileId?: Buffer
  contractId?: Buffer
  topicId?: Buffer
  topicSequenceNumber?: bigint
  topicRunningHash?: Buffer
  tokenId?: Buffer
  newTotalSupply?: bigint
  scheduleId?: Buffer
  scheduledTransactionId?: Buffer
  serialNumbers?: readonly bigint[]
  nodeId?: bigint
  registeredNodeId?: bigint
  /** Of an account that came into being by a transfer to it. */
  alias?: Buffer
  evmAddress?: Buffer
  ethereumHash?: Buffer
  prngBytes?: Buffer
  prngNumber?: number
  /** Serialized PendingAirdropRecords. */
  newPendingAirdrops?: readonly Buffer[]
  /** Serialized ContractFunctionResult. */
  contractCallResult?: Buffer
  contractCreateResult?: Buffer
}

/** What a kind of transaction looks at to fill in its fields. */
export interface Drafting {
  readonly transaction: BlockTransaction
  /** Of the family. */
  readonly context: StateContext
  readonly draft: RecordDraft
  readonly fail: Fail
  /** Says that something could not be told; the rest of the record is as it should be. */
  readonly warn: (what: string) => void
}

/** Fills in what a kind of transaction has; called from the last transaction of a block to the first. */
export type KindOfRecord = (drafting: Drafting) => void
