import type { balancesSchema } from '#projections/balances/schema.ts'
import type { Checkpoint, RowsAt } from '#src/ports/read-store.ts'

export type BalanceRows = RowsAt<typeof balancesSchema>

/**
 * What balances are asked of. Without a time it is the present of the request: rows that later events wrote meanwhile give
 * way to what they were at the checkpoint.
 */
export interface Instant {
  readonly checkpoint: Checkpoint
  /** ns; inclusive. */
  readonly time: bigint | undefined
}

/** Whether a row is what it was at the instant; `since` is the time of its newest point (ns). */
export function isCurrent({ from, since }: { readonly from: bigint; readonly since: bigint }, at: Instant): boolean {
  if (at.time !== undefined) return since <= at.time && since <= at.checkpoint.time
  return from <= BigInt(at.checkpoint.position)
}

/** The latest time that the instant covers (ns). */
export function latestTime({ time, checkpoint }: Instant): bigint {
  return time === undefined || time > checkpoint.time ? checkpoint.time : time
}
