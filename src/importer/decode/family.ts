import type { TransactionRecorded } from '#schemas/events/types.ts'
import { isSuccessCode } from '#src/domain/response-codes.ts'
import { transactionType } from '#src/domain/transaction-types.ts'

interface Relative {
  readonly successful: boolean
  /** Only of a batch, which learns of its inner transactions later. */
  readonly batch: TransactionRecorded | undefined
}

/** What relatives ask of each other. */
export interface TransactionHead {
  readonly consensusTimestamp: bigint
  readonly parentConsensusTimestamp: bigint | null
  readonly nonce: number
  readonly type: number
  readonly result: number
  successful: boolean | null
}

/** What the transactions of one block know of each other; a parent comes before its children. */
export class Family {
  readonly #byTime = new Map<bigint, Relative>()

  /**
   * Fills in what follows from earlier transactions of the block: `successful`, which a child has only with its parent,
   * and, in the batch, the id of an inner transaction.
   */
  relate(event: TransactionRecorded): void {
    const parent = this.succeed(event, event.type === transactionType.atomicBatch ? event : undefined)
    if (parent?.batch && event.batchKey !== null && event.nonce === 0) addInner(parent.batch, event)
  }

  /** Fills in only `successful`, which is all there is to fill in where no batch is concerned. */
  succeed(head: TransactionHead, batch?: TransactionRecorded): Relative | undefined {
    const { parentConsensusTimestamp } = head
    const parent = parentConsensusTimestamp === null ? undefined : this.#byTime.get(parentConsensusTimestamp)
    const successful = isSuccessCode(head.result) && parent?.successful !== false
    head.successful = successful
    this.#byTime.set(head.consensusTimestamp, { successful, batch })
    return parent
  }
}

function addInner(batch: TransactionRecorded, { payerAccountId, validStartTimestamp }: TransactionRecorded): void {
  batch.innerTransactions.push({ payerAccountId, validStartTimestamp })
}
