import { findNewestChanges, newestOf } from '#queries/balances/find-newest-change.ts'
import type { BalanceRows, Instant } from '#queries/balances/instant.ts'
import type { InstantRange } from '#queries/common/instant-range.ts'
import type { Checkpoint } from '#src/ports/read-store.ts'

export interface FoundInstant {
  readonly at: Instant
  /** ns; when some balance, of hbar or a token, changed last at the instant; undefined for the present. */
  readonly changed: bigint | undefined
}

/**
 * When balances are told of: of the present, or the newest change in the range that it does not leave out; undefined when there
 * is none. After a change by a transaction it is the end of the range.
 */
export async function findInstant(
  rows: BalanceRows,
  bound: Checkpoint,
  range: InstantRange | undefined,
): Promise<FoundInstant | undefined> {
  if (range === undefined) return { at: { bound, time: undefined }, changed: undefined }
  let { upper } = range
  while (upper >= range.lower) {
    const changes = await findNewestChanges(rows, { bound, time: upper })
    const changed = newestOf(changes)
    if (changed === undefined || changed < range.lower) return undefined
    if (!range.excluded.includes(changed))
      return { at: { bound, time: changed === changes.seen ? upper : changed }, changed }
    upper = changed - 1n
  }
  return undefined
}
