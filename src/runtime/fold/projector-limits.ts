import type { Position } from '#src/ports/message-log.ts'

export interface ProjectorLimits {
  /** Events and value bytes read at once. */
  readonly readCountMax: number
  readonly readBytesMax: number
  /** Events folded into one commit while catching up; at the head every batch is committed. */
  readonly commitEventsMax: number
  /** A projection further behind the others than this reads alone until it has caught up. */
  readonly sharedLagMax: number
  /** Rows written by one commit, about; it is made early when they are so many. */
  readonly commitRowsMax: number
  /** Bytes of rows that all stateful folds of a thread keep in memory between commits, together. */
  readonly cacheBytesMax: number
  /** First and longest wait before an unavailable log or store is asked again. */
  readonly retryMinMs: number
  readonly retryMaxMs: number
}

export const defaultProjectorLimits: ProjectorLimits = {
  readCountMax: 256,
  readBytesMax: 4 << 20,
  commitEventsMax: 65_536,
  sharedLagMax: 50_000,
  commitRowsMax: 100_000,
  cacheBytesMax: 48 << 20,
  retryMinMs: 100,
  retryMaxMs: 5_000,
}

export interface ProjectionProgress {
  readonly name: string
  readonly version: number
  readonly build: number
  /** Committed position and the newest sequence of the log. */
  readonly position: Position
  readonly head: Position
  /** Greatest consensus time folded, ns. */
  readonly time: bigint
  /** Rows of blocks that end up to here (ns) are committed; 0n where nothing is published. */
  readonly complete: bigint
  /** Events of this commit, and how long the store took to commit them. */
  readonly events: number
  readonly seconds: number
  /** Spent folding since the projection was opened. */
  readonly foldSeconds: number
  /** How often an event of this commit waited for rows that were not found ahead of its batch. */
  readonly loadsInTurn: number
}
