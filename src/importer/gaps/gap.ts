import type { LastBlock } from '#src/importer/state/last-block.ts'

/** Files of the source that the log has no blocks of. */
export interface SourceFiles {
  readonly count: number
  /** Instants as in the names of the first and the last one; undefined where there is none. */
  readonly first: string | undefined
  readonly last: string | undefined
}

export type BlockRef = Pick<LastBlock, 'name' | 'number'>

/** What is not whole about a log, or about a log beside its source. */
export type Gap =
  /** The source begins before the log does. */
  | { readonly kind: 'head'; readonly before: BlockRef; readonly files: SourceFiles }
  /** A block does not continue the one before it. `blocks`: missing by their numbers; `files` unless no source was asked. */
  | {
      readonly kind: 'middle'
      readonly after: BlockRef
      readonly before: BlockRef
      readonly blocks: bigint
      readonly files: SourceFiles | undefined
    }
  /** The source goes on where the log ends. */
  | { readonly kind: 'tail'; readonly after: BlockRef | undefined; readonly files: SourceFiles }
  /** The source goes on, but with nothing that continues the log: it lacks files itself. `reason` names the first that does not. */
  | { readonly kind: 'source'; readonly after: BlockRef; readonly files: SourceFiles; readonly reason: string }
  /** A block says that it has more transactions than the log has of it, or fewer. */
  | { readonly kind: 'transactions'; readonly block: BlockRef; readonly expected: bigint; readonly found: bigint }
  /** This release understands transactions wholly that the one which wrote them did not; `first` is the first of them. */
  | { readonly kind: 'decoding'; readonly first: number; readonly transactions: number }
  /** The log lacks what was seen of it: it is gone, shorter than it was, or another one. */
  | { readonly kind: 'lost'; readonly reason: string }
  /** The log cannot be read any further. */
  | {
      readonly kind: 'damage'
      readonly after: BlockRef | undefined
      readonly position: number
      readonly reason: string
    }
