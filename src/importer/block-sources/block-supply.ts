import type { LedgerError } from '#src/domain/errors.ts'
import type { SourceBlock } from '#src/ports/block-node.ts'

export interface BlockRequest {
  readonly from: bigint
  /** The last one wanted; undefined: without end. */
  readonly through?: bigint | undefined
  readonly signal?: AbortSignal | undefined
}

/** A way to get blocks: a bucket, or block nodes. Nothing of what comes is verified. */
export interface BlockSupply {
  /** What a person calls it. */
  readonly description: string
  /**
   * Blocks in order without a gap. Ends where there are no more for now; rejects with `source_unavailable` where they cannot be had.
   * Leaving the loop ends it at once.
   */
  blocks(request: BlockRequest): AsyncGenerator<SourceBlock, void, undefined>
  /**
   * Number of the newest block, for whoever does not want to wait for more; undefined where it ends by itself. Rejects with
   * `source_unavailable`.
   */
  newest(signal?: AbortSignal): Promise<bigint | undefined>
  /** Resolves when there may be more, at the latest after so many milliseconds. */
  waitForChange(maxMs: number, signal?: AbortSignal): Promise<void>
  /** One block; undefined where nobody has it. */
  fetch(number: bigint, signal?: AbortSignal): Promise<SourceBlock | undefined>
  /** A block of it did not hold, so that it is asked elsewhere first; true where somebody is left who was not asked for it. */
  refused(block: Pick<SourceBlock, 'number' | 'origin'>, error: LedgerError): boolean
  /** A block of it was proved. */
  accepted(block: Pick<SourceBlock, 'number' | 'origin'>): void
}
