import type { Choice } from '#projections/staking/stakers.ts'
import type { TransactionRecorded } from '#schemas/events/types.ts'
import { epochDayOf } from '#src/domain/ledger-time.ts'
import { accountNumber } from '#src/events/ids.ts'

export const choiceBodies = [
  'entityId',
  'consensusTimestamp',
  'cryptoCreateAccount',
  'cryptoUpdateAccount',
  'contractCreateInstance',
  'contractUpdateInstance',
] as const

type Facts = Pick<TransactionRecorded, (typeof choiceBodies)[number]>

/** What a body says of staking; null says nothing. */
interface Asked {
  readonly account: bigint | null
  readonly node: bigint | null
  readonly declines: boolean | null
}

export const noChoice: Choice = { node: -1n, stakedAccount: 0n, declines: 0, periodStart: -1n }

/** What a successful transaction changes of its entity's choice; undefined when nothing. */
export function choiceAsked(facts: Facts): Asked | undefined {
  const created = facts.cryptoCreateAccount ?? facts.contractCreateInstance
  const body = created ?? facts.cryptoUpdateAccount ?? facts.contractUpdateInstance
  if (body === null || facts.entityId === null) return undefined
  const { stakedAccountId, stakedNodeId, declineReward } = body
  // A creation that says nothing is not told from one that accepts rewards, which is how accounts begin.
  const declines = created !== null && !declineReward ? null : declineReward
  if (stakedAccountId === null && stakedNodeId === null && declines === null) return undefined
  return { account: stakedAccountId && accountNumber(stakedAccountId), node: stakedNodeId, declines }
}

/** The choice afterwards: staking to a node ends staking to an account, and the other way round. */
export function choiceAfter(before: Choice, { account, node, declines }: Asked, time: bigint): Choice {
  const target =
    node !== null
      ? { node, stakedAccount: 0n }
      : account !== null
        ? { node: -1n, stakedAccount: account }
        : { node: before.node, stakedAccount: before.stakedAccount }
  return {
    ...target,
    declines: declines === null ? before.declines : declines ? 1 : 0,
    periodStart: epochDayOf(time),
  }
}
