import type { Logger } from '#src/ports/logger.ts'

/** Who keeps a read model up to date, as others see it while they wait. */
export interface OwnerInfo {
  readonly host: string
  readonly pid: number
  readonly codeVersion: string
  /** Name of the process among those of the deployment. */
  readonly process: string
}

/** Steps of taking over and of a commit, in their order. */
export type CommitStep = 'journal' | 'commit-point' | 'rows' | 'parked' | 'checkpoint' | 'journal-end'

export interface MongoOptions {
  /** `mongodb://…` or `mongodb+srv://…`; may carry credentials and TLS settings. */
  readonly uri: string
  readonly database: string
  /** Where readers read; writers always use the primary. */
  readonly readPreference: ReadPreferenceName
  /** How long one call may take, finding a server included. */
  readonly timeoutMs: number
  /** How long an owner that gives no sign of life keeps its right. */
  readonly leaseMs: number
  /** How often an owner gives a sign of life. Default 1,000. */
  readonly heartbeatMs?: number
  /** Most connections. */
  readonly poolSizeMax: number
  readonly owner: OwnerInfo
  readonly logger?: Logger
  /** Largest chunk of a journal. Default 8 MiB; a document can hold 16 MiB. */
  readonly journalChunkBytesMax?: number
  /** Called before each step of a commit, so that a test can interrupt it there. */
  readonly beforeStep?: (step: CommitStep) => void | Promise<void>
}

export type ReadPreferenceName = 'primary' | 'primaryPreferred' | 'secondary' | 'secondaryPreferred' | 'nearest'

/**
 * Rows of a commit wait in memory, some 3 KB for an event of 0.5 KB. In catching up 100,000 events, 32,768 at once took 120
 * to 140 MiB of heap, 8,192 took 50 to 70, and no longer.
 */
export const commitEventsMax = 8_192

export const mongoDefaults = {
  heartbeatMs: 1_000,
  journalChunkBytesMax: 8 << 20,
} as const
