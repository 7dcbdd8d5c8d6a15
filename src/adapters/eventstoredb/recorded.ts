import { type ReadPosition, type RecordedEvent, START } from '@eventstore/db-client'
import type { DecisionMetadata, DecisionPosition, RecordedDecision } from '#src/ports/decision-store.ts'

/** An event as the server has it. Commit positions count bytes of its log, far below 2^53. */
export function decisionOf(event: RecordedEvent): RecordedDecision {
  const { id, type, data, metadata, streamId: stream, revision, position } = event
  return {
    id,
    type,
    data: data as object,
    // We wrote it: other events than ours are passed over before.
    metadata: metadata as object as DecisionMetadata,
    stream,
    revision: Number(revision),
    position: Number(position?.commit),
  }
}

/** Events that are not part of an explicit transaction, as all of ours, have one number for both. */
export function fromPosition(after: DecisionPosition): ReadPosition {
  return after === 0 ? START : { commit: BigInt(after), prepare: BigInt(after) }
}
