/** Number of an event in its stream, from 0, dense. */
export type StreamRevision = number

/** `none`: the stream must not be there yet. A number: that must be its newest revision. */
export type ExpectedRevision = StreamRevision | 'none'

/**
 * Place in the one order of all streams: grows from event to event, but is not dense (an event store counts bytes). A
 * plain number, like the sequence of the log; 0 stands for "before the first event".
 */
export type DecisionPosition = number

/** Who decided, by which request, and when it was written down. JSON, as it is stored beside the event. */
export interface DecisionMetadata {
  /** The request that led to the event; a repeated one is known by it. */
  readonly command_id: string
  /** Digest of the request's content, so that another request under the same id is not taken for a repetition. */
  readonly command_digest: string
  readonly actor: string
  readonly actor_role: ActorRole
  /** ISO 8601 in UTC with milliseconds. When the fact holds from is in the event itself. */
  readonly recorded_at: string
  /** Version of the event's JSON schema, from 1. */
  readonly schema_version: number
}

/** `clock`: planned starts and ends. `automation`: rules over live health, and programs with a token for it. */
const actorRoles = ['operator', 'automation', 'clock'] as const
export type ActorRole = (typeof actorRoles)[number]

export interface NewDecision {
  /** UUID, derived from the command and the event's number in it: appended again, it is the same event. */
  readonly id: string
  readonly type: string
  /** A JSON object. */
  readonly data: object
  readonly metadata: DecisionMetadata
}

export interface RecordedDecision extends NewDecision {
  readonly stream: string
  readonly revision: StreamRevision
  readonly position: DecisionPosition
}

/** A decision by its place and a digest of all that was written down of it: whether a store still has it. */
export interface SeenDecision {
  readonly position: DecisionPosition
  readonly stream: string
  readonly revision: StreamRevision
  readonly digest: string
}

export interface SubscribeOptions {
  /** Deliver events above this position: that of an event, or 0. */
  readonly after: DecisionPosition
  /** Most events in one batch. */
  readonly countMax: number
  /** true: wait for new events at the end; false: finish there. */
  readonly follow: boolean
  readonly signal?: AbortSignal | undefined
}

export interface DecisionBatch {
  /** Ascending by position; empty where the batch only tells of a newer head. */
  readonly events: readonly RecordedDecision[]
  /** Newest position known when the batch was read. */
  readonly head: DecisionPosition
}

/**
 * Streams of decisions, each appended to at an expected revision, and the one order of all of them. What was appended is
 * durable and immutable, and survives a kill at any instant. Away, it rejects with `decisions_unavailable`.
 */
export interface DecisionStore {
  /**
   * Appends all events or none. Rejects with `revision_conflict` when the stream is not at the expected revision. After
   * `decisions_unavailable` it is unknown whether they are there; appending the same events (by id) at the same revision again
   * finds out and writes nothing twice. Resolves to the revision of the last one.
   */
  append(stream: string, expected: ExpectedRevision, events: readonly NewDecision[]): Promise<StreamRevision>
  /** The events of one stream from a revision on, in order; none where the stream is not there. */
  readStream(stream: string, from?: StreamRevision): Promise<readonly RecordedDecision[]>
  /** All streams in one order. A slow reader is not sent more than it asks for. Several readers are independent. */
  readAll(options: SubscribeOptions): AsyncIterable<DecisionBatch>
  /** The event with the greatest position; undefined where there is none. */
  newest(): Promise<RecordedDecision | undefined>
  /** Id of the event with the smallest position: another store has another. undefined where there is none. */
  identity(): Promise<string | undefined>
  close(): Promise<void>
}
