import { findNewestChange } from '#queries/balances/find-newest-change.ts'
import type { BalanceRows, Instant } from '#queries/balances/instant.ts'
import type { InstantRange } from '#queries/common/instant-range.ts'
import type { Checkpoint } from '#src/ports/read-store.ts'

/** When balances are told of: of the present, or the newest change in the range; undefined when there is none. */
export async function findInstant(
  rows: BalanceRows,
  bound: Checkpoint,
  range: InstantRange | undefined,
): Promise<Instant | undefined> {
  if (range === undefined) return { bound, time: undefined }
  let { upper } = range
  while (upper >= range.lower) {
    const time = await findNewestChange(rows, { bound, time: upper })
    if (time === undefined || time < range.lower) return undefined
    if (!range.excluded.includes(time)) return { bound, time }
    upper = time - 1n
  }
  return undefined
}
