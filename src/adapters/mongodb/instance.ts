import { type Connection, checkpointConcern, type Stored } from '#src/adapters/mongodb/connection.ts'
import type { OwnerInfo } from '#src/adapters/mongodb/options.ts'
import { type Checkpoint, instanceName, type ProjectionSchema, type RowsOrigin } from '#src/ports/read-store.ts'

export interface Owner extends OwnerInfo {
  /** Different for every handle. */
  readonly token: string
  /** Thread of a process: where the handles live that it knows of. */
  readonly unit: string
  /** Machine and space of process ids, so that a process id means the same to both who compare it. */
  readonly machine: string
}

/** A commit that is decided and not yet wholly in the rows. */
export interface PendingCommit {
  /** Path of its journal's chunks, and how many there are. */
  readonly journal: string
  readonly chunks: number
  readonly position: bigint
  readonly time: bigint
  readonly whole?: StoredBlockEnd | null
  readonly again: bigint
}

export interface StoredBlockEnd {
  readonly position: bigint
  readonly time: bigint
}

/** One document per instance in `checkpoints`: who owns it, and up to where its rows are. */
export interface InstanceDocument extends Stored {
  /** Of the newest owner; goes on counting when the instance is removed and built anew. */
  readonly epoch: bigint
  /** Epoch of the owner that began to build; its collections carry it, so that those of an earlier life disturb nobody. */
  readonly life: bigint
  readonly state: 'done' | 'pending' | 'removed'
  /** null: never committed. */
  readonly position: bigint | null
  readonly time: bigint
  /** End of the newest whole block; absent where earlier releases wrote last. */
  readonly whole?: StoredBlockEnd | null
  /** Commits at this position besides the first. */
  readonly again: bigint
  readonly pending: PendingCommit | null
  readonly owner: Owner | null
  /** Grows with every sign of life. */
  readonly beat: bigint
  /** Made up when the life began; absent in one from before there were marks. */
  readonly mark?: string
  /** Identity of the log that the rows are folded from, once it was said. */
  readonly log?: string | null
  /** Whether its rows carry checksums: those that earlier releases began do not. */
  readonly sums?: boolean
  /** Whether each of its collections holds the document that says that it is the one that was made. */
  readonly marked?: boolean
  /** Of the newest owner that knows checksums and marks: where that is not the newest of all, neither is to be relied on. */
  readonly knownEpoch?: bigint
  /** Lives whose collections are still to be dropped. */
  readonly dropping: readonly bigint[]
}

export const collectionNames = {
  checkpoints: 'checkpoints',
  journal: 'journal',
  parked: 'parked',
  tombstones: 'tombstones',
  control: 'control',
  contents: 'contents',
} as const

/** Whether the rows have checksums and the collections their marks, as far as they say so: an earlier release that owned them made rows without. */
export function areKnown({ epoch, knownEpoch }: Pick<InstanceDocument, 'epoch' | 'knownEpoch'>): boolean {
  return knownEpoch === epoch
}

export function checkpointOf({
  position,
  time,
  whole,
}: Pick<InstanceDocument, 'position' | 'time' | 'whole'>): Checkpoint | undefined {
  if (position === null) return undefined
  const end = whole && { position: Number(whole.position), time: whole.time }
  return { position: Number(position), time, ...(end && { whole: end }) }
}

export function checkpointsOf(connection: Connection) {
  return connection.collection<InstanceDocument>(collectionNames.checkpoints, checkpointConcern)
}

export function originOf({ mark = '', log = null }: Pick<InstanceDocument, 'mark' | 'log'>): RowsOrigin {
  return { mark, log: log ?? undefined }
}

/** Life 1 has the plain name, since that is all that most instances ever see: `transactions@1`, then `transactions@1~7`. */
export function scopeOf(schema: ProjectionSchema, life: bigint): string {
  return life === 1n ? instanceName(schema) : `${instanceName(schema)}~${life}`
}

export function rowsName(scope: string, collection: string): string {
  return `${scope}.${collection}`
}

/** Commits at one position before the version of a row would run into that of the next position. */
export const againMax = (1n << 16n) - 1n

/**
 * Orders commits: by position, and at one position by their number. A row is never replaced by one of a lower version.
 * Positions below 2^47 fit.
 */
export function versionOf({ position, again }: { position: bigint; again: bigint }): bigint {
  return (position << 16n) | again
}
