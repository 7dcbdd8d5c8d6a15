import { findNewestChanges, newestOf } from '#queries/balances/find-newest-change.ts'
import type { BalanceRows, Instant } from '#queries/balances/instant.ts'
import { min } from '#queries/common/bigints.ts'
import type { Filter } from '#queries/common/parameters.ts'
import { atOrBefore, selectionOf } from '#queries/common/range.ts'
import { maxInt64 } from '#src/domain/ledger-time.ts'
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
  checkpoint: Checkpoint,
  filters: readonly Filter<bigint>[],
): Promise<FoundInstant | undefined> {
  if (filters.length === 0) return { at: { checkpoint, time: undefined }, changed: undefined }
  const range = selectionOf(atOrBefore(filters))
  let upper = min(range.upper, maxInt64)
  while (upper >= range.lower) {
    const changes = await findNewestChanges(rows, { checkpoint, time: upper })
    const changed = newestOf(changes)
    if (changed === undefined || changed < range.lower) return undefined
    if (!range.excluded.includes(changed))
      return { at: { checkpoint, time: changed === changes.seen ? upper : changed }, changed }
    upper = changed - 1n
  }
  return undefined
}
