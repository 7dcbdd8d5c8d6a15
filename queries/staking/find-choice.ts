import type { stakingSchema } from '#projections/staking/schema.ts'
import { type Instant, isCurrent, latestTime } from '#queries/balances/instant.ts'
import type { RowsAt } from '#src/ports/read-store.ts'

export interface Choice {
  readonly node: bigint
  readonly stakedAccount: bigint
  readonly declines: number
  readonly periodStart: bigint
}

/** Whom an account stakes to at an instant; undefined before its first choice. */
export async function findChoice(
  rows: RowsAt<typeof stakingSchema>,
  account: bigint,
  staker: Choice & { readonly from: bigint; readonly since: bigint },
  at: Instant,
): Promise<Choice | undefined> {
  if (isCurrent(staker, at)) return staker
  const [found] = await rows.at(latestTime(at)).find({
    collection: 'choices',
    index: ['account', 'since'],
    prefix: [account],
    descending: true,
    limit: 1,
    select: ['node', 'stakedAccount', 'declines', 'periodStart'],
  })
  return found
}
