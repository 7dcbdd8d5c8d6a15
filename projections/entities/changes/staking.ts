import { bit, type ChangeContext, type EntityChange } from '#projections/entities/changes/effect.ts'
import type { AccountID } from '#schemas/events/types.ts'
import { accountNumber } from '#src/events/ids.ts'

const nanosPerDay = 86_400_000_000_000n

/** The UTC day of a consensus time, counted from 1970-01-01: what staking periods are numbered by. */
export function epochDay(time: bigint): bigint {
  return time / nanosPerDay
}

interface StakingFields {
  readonly stakedAccountId: AccountID | null
  readonly stakedNodeId: bigint | null
}

/** What a creation says about staking. */
export function stakingAtCreation(
  body: StakingFields & { readonly declineReward: boolean },
  { staking, time }: ChangeContext,
): EntityChange {
  if (!staking) return {}
  const { stakedAccountId, stakedNodeId } = body
  const stakes = stakedAccountId !== null || stakedNodeId !== null
  return {
    declineReward: bit(body.declineReward),
    ...(stakedAccountId !== null && { stakedAccountId: accountNumber(stakedAccountId) }),
    ...(stakedNodeId !== null && { stakedNodeId }),
    ...(stakes && { stakePeriodStart: epochDay(time) }),
  }
}

/** What an update says about staking: a choice replaces the other kind, and any word about it begins a new period. */
export function stakingAtUpdate(
  body: StakingFields & { readonly declineReward: boolean | null },
  { staking, time }: ChangeContext,
): EntityChange {
  const { stakedAccountId, stakedNodeId, declineReward } = body
  if (!staking || (stakedAccountId === null && stakedNodeId === null && declineReward === null)) return {}
  return {
    stakePeriodStart: epochDay(time),
    ...(declineReward !== null && { declineReward: bit(declineReward) }),
    ...(stakedAccountId !== null && { stakedAccountId: accountNumber(stakedAccountId), stakedNodeId: -1n }),
    ...(stakedNodeId !== null && { stakedNodeId, stakedAccountId: 0n }),
  }
}
