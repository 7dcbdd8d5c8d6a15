import type { EventType } from '#src/events/event-types.ts'

/**
 * Place in the one total order: the dense sequence that the importer numbers events with, from 1. A plain number, since
 * 2^53 events outlast every ledger. 0 stands for "before the first event".
 */
export type Position = number

/** One event as it travels: framed Avro bytes plus the headers that a reader needs before it decodes. */
export interface LogRecord {
  readonly type: EventType
  /** Stable id of the fact, the message key on Kafka. */
  readonly key: string
  /** Consensus time of the fact in nanoseconds; the message time. */
  readonly time: bigint
  /** Framed value: the event in Avro, behind bytes that tell its schema. See src/events/framing.ts. */
  readonly value: Uint8Array
}

export interface StoredRecord extends LogRecord {
  readonly sequence: Position
}

export interface LogBatch {
  /** Ascending, without a gap, never empty unless the batch only reports a moved head. */
  readonly records: readonly StoredRecord[]
  /** Newest sequence known when the batch was read. */
  readonly head: Position
}

export interface ReadOptions {
  /** Deliver events with a sequence above this one. */
  readonly after: Position
  /** Most events per batch. */
  readonly countMax: number
  /** Roughly the most value bytes per batch; a batch holds at least one event. */
  readonly bytesMax: number
  /** true: wait for new events at the end; false: finish there. */
  readonly follow: boolean
  readonly signal?: AbortSignal
}

export interface LogHead {
  /** Newest sequence, 0 in an empty log. */
  readonly sequence: Position
  /** Consensus time of the newest event; undefined in an empty log. */
  readonly time: bigint | undefined
}

/**
 * The right to append, which at most one writer has: opening a second one while the first lives is refused with
 * `log_writer_busy`, or takes the right away from the first. A writer that lost its right (`log_writer_fenced`) can append
 * nothing any more. After any other failure of `append` it is unknown whether the events are there: the writer is of no
 * use any more, and a new one's `head` tells.
 */
export interface LogWriter {
  readonly head: LogHead
  /**
   * Appends blocks in order; each block is a list of events. All of them become visible and durable together, or none
   * does, whatever happens to the process. Events get the next sequences. Resolves to the new head.
   */
  append(blocks: readonly (readonly LogRecord[])[]): Promise<LogHead>
  close(): Promise<void>
}

/**
 * One total order of events with a dense sequence. Immutable once appended; any number of independent readers; survives
 * a kill at any instant. Nothing here needs more of an engine than an idempotent, transactional, single-partition topic.
 */
export interface MessageLog {
  openWriter(): Promise<LogWriter>
  /** A reader is independent of every other; it stops with `log_gap` when the sequence is not dense, with `log_damaged` where an event is not what was written. */
  read(options: ReadOptions): AsyncIterable<LogBatch>
  head(): Promise<LogHead>
  /**
   * Made up when the log was, and never changed: another log, also one of the same facts, has another. undefined while the
   * log is not there yet.
   */
  identity(): Promise<string | undefined>
  /** Newest event that was written without a checksum, before logs of this engine had any; absent where all have one. */
  uncheckedThrough?(): Promise<Position>
  /**
   * Tells the engine's own lag tools how far a group of readers has come; `position`: the last event that it is done with.
   * Only that: we never read it. Absent where an engine has no such tools.
   */
  reportProgress?(groupId: string, position: Position): Promise<void>
  close(): Promise<void>
}
