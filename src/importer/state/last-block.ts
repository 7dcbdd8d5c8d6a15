import type { SemanticVersion } from '#src/domain/semantic-version.ts'

/** Format of what comes from the block stream; record files have smaller numbers. */
export const blockStreamVersion = 7

/** The last block of the log. */
export interface LastBlock {
  readonly name: string
  readonly number: bigint
  readonly numberProvisional: boolean
  readonly hash: Buffer
  /** Consensus time (ns) of its last transaction. */
  readonly time: bigint
  /** Format: 1, 2, 5, 6 or 7. */
  readonly version: number
  /** By which the next block of the block stream names it; undefined where that is not known. */
  readonly root: Buffer | undefined
  /** Undefined where it is not known. */
  readonly hapiVersion: SemanticVersion | undefined
}
