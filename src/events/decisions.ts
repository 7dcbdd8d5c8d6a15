import type { EventType } from '#src/events/event-types.ts'
import type { RecordedDecision } from '#src/ports/decision-store.ts'
import type { StoredRecord } from '#src/ports/message-log.ts'

/** A decision in the form in which the log's events travel, so that whatever folds those folds it. */
export function recordOfDecision(decision: RecordedDecision): StoredRecord {
  const { type, data, metadata, stream, revision, position } = decision
  const { actor, actor_role, recorded_at, command_id } = metadata
  const event = { ...data, actor, actor_role, recorded_at, command_id, stream, revision }
  return {
    // A reader of the log knows its own types and passes others over; only folds of decisions are given these.
    type: type as EventType,
    key: stream,
    time: BigInt(Date.parse(recorded_at)) * 1_000_000n,
    value: Buffer.from(JSON.stringify(event)),
    sequence: position,
  }
}

/** The event of a record that `recordOfDecision` made. */
export function readDecision(value: Uint8Array): object {
  return JSON.parse(Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString()) as object
}
