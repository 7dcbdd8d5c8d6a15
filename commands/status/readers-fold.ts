import type { RecordedDecision } from '#src/ports/decision-store.ts'

/**
 * What folds decisions for those who read them, asked before they are written down: what cannot be folded could never be
 * shown. Pure, in memory.
 */
export interface ReadersFold {
  /** One that is written down. */
  take(decision: RecordedDecision): void
  /** Why these cannot be shown; undefined where they can. */
  refusalOf(decisions: readonly RecordedDecision[]): string | undefined
}
