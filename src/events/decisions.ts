import { createHash } from 'node:crypto'
import type { EventType } from '#src/events/event-types.ts'
import type { DecisionMetadata, RecordedDecision, SeenDecision } from '#src/ports/decision-store.ts'
import type { StoredRecord } from '#src/ports/message-log.ts'

const digestCharacters = 32

/** Half of a SHA-256 over all that was written down of a decision, in hexadecimal digits, wherever it is stored. */
export function digestOfDecision({ stream, revision, id, type, data, metadata }: RecordedDecision): string {
  const text = JSON.stringify([stream, revision, id, type, data, metadata])
  return createHash('sha256').update(text).digest('hex').slice(0, digestCharacters)
}

export function seenOf(decision: RecordedDecision): SeenDecision {
  const { position, stream, revision } = decision
  return { position, stream, revision, digest: digestOfDecision(decision) }
}

/**
 * A decision in the form in which the log's events travel, so that whatever folds those folds it. A store may hold events of
 * others, of which nothing is known but their place.
 */
export function recordOfDecision(decision: RecordedDecision): StoredRecord {
  const { type, data, stream, revision, position } = decision
  const { actor, actor_role, recorded_at, command_id }: Partial<DecisionMetadata> = decision.metadata ?? {}
  const digest = digestOfDecision(decision)
  const event = { ...data, actor, actor_role, recorded_at, command_id, stream, revision, digest }
  const ms = Date.parse(recorded_at ?? '')
  return {
    // A reader of the log knows its own types and passes others over; only folds of decisions are given these.
    type: type as EventType,
    key: stream,
    time: Number.isNaN(ms) ? 0n : BigInt(ms) * 1_000_000n,
    value: Buffer.from(JSON.stringify(event)),
    sequence: position,
  }
}

/** The event of a record that `recordOfDecision` made. */
export function readDecision(value: Uint8Array): object {
  return JSON.parse(Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString()) as object
}
