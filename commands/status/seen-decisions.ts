import type { SeenDecision } from '#src/ports/decision-store.ts'

/**
 * What a deployment has seen of its decisions, beside them: a store that is restored from an older copy, or is another one,
 * cannot tell itself that something is missing.
 */
export interface SeenDecisions {
  /** The newest that were seen, by whoever looked: the decision store has all of them, or has lost some. */
  heads(): Promise<readonly SeenDecision[]>
  /** Outlives the process and the decision store. */
  remember(newest: SeenDecision): Promise<void>
}
