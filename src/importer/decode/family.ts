import type { TransactionRecorded } from '#schemas/events/types.ts'
import { isSuccessCode } from '#src/domain/response-codes.ts'

/**
 * Fills in what follows from the other transactions of the block: `successful`, which a child has only with its parent,
 * and the ids of a batch's inner transactions. `events` are one block's, in order; a parent comes before its children.
 */
export function relateFamily(events: readonly TransactionRecorded[]): void {
  const byTime = new Map<bigint, TransactionRecorded>()
  for (const event of events) {
    const parent = event.parentConsensusTimestamp === null ? undefined : byTime.get(event.parentConsensusTimestamp)
    event.successful = isSuccessCode(event.result) && parent?.successful !== false
    if (parent && event.batchKey !== null && event.nonce === 0) addInner(parent, event)
    byTime.set(event.consensusTimestamp, event)
  }
}

function addInner(batch: TransactionRecorded, { payerAccountId, validStartTimestamp }: TransactionRecorded): void {
  batch.innerTransactions.push({ payerAccountId, validStartTimestamp })
}
