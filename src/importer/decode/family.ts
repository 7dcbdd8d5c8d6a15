import type { TransactionRecorded } from '#schemas/events/types.ts'
import { isSuccessCode } from '#src/domain/response-codes.ts'
import { transactionType } from '#src/domain/transaction-types.ts'

interface Relative {
  readonly successful: boolean
  /** Only of a batch, which learns of its inner transactions later. */
  readonly batch: TransactionRecorded | undefined
}

/** What the transactions of one block know of each other; a parent comes before its children. */
export class Family {
  readonly #byTime = new Map<bigint, Relative>()

  /**
   * Fills in what follows from earlier transactions of the block: `successful`, which a child has only with its parent,
   * and, in the batch, the id of an inner transaction.
   */
  relate(event: TransactionRecorded): void {
    const parent =
      event.parentConsensusTimestamp === null ? undefined : this.#byTime.get(event.parentConsensusTimestamp)
    const successful = isSuccessCode(event.result) && parent?.successful !== false
    event.successful = successful
    if (parent?.batch && event.batchKey !== null && event.nonce === 0) addInner(parent.batch, event)
    const batch = event.type === transactionType.atomicBatch ? event : undefined
    this.#byTime.set(event.consensusTimestamp, { successful, batch })
  }
}

function addInner(batch: TransactionRecorded, { payerAccountId, validStartTimestamp }: TransactionRecorded): void {
  batch.innerTransactions.push({ payerAccountId, validStartTimestamp })
}
