import { choiceAfter, choiceAsked, choiceBodies, noChoice } from '#projections/staking/choices.ts'
import { networkStakeFields, networkStakeOf, renderNetworkStake } from '#projections/staking/network-stake.ts'
import { stakingSchema } from '#projections/staking/schema.ts'
import {
  balanceOf,
  choiceOf,
  choose,
  moveStake,
  newestUpdate,
  type StakingRows,
  settled,
  withRun,
} from '#projections/staking/stakers.ts'
import { recordUpdate } from '#projections/staking/updates.ts'
import type { StakingRewardEntry, TransactionRecorded } from '#schemas/events/types.ts'
import { epochDayOf } from '#src/domain/ledger-time.ts'
import { isSuccessCode } from '#src/domain/response-codes.ts'
import { defineProjection } from '#src/runtime/fold/projection.ts'

const reads = ['successful', 'result', 'transfers', 'stakingRewards', 'nodeStakeUpdate', ...choiceBodies] as const
type Facts = Pick<TransactionRecorded, (typeof reads)[number]>

const tinybarsPerHbar = 100_000_000n

function hasSucceeded({ successful, result }: Pick<Facts, 'successful' | 'result'>): boolean {
  return successful ?? isSuccessCode(result)
}

/** Who stakes how much to whom, what nodes earn and what was paid. */
export const stakingProjection = defineProjection(stakingSchema)
  .on('TransactionRecorded', {
    reads,
    apply: (facts, rows, { sequence }) => {
      const from = BigInt(sequence)
      if (hasSucceeded(facts)) changeChoice(rows, facts, from)
      for (const { accountId, amount, errata } of facts.transfers)
        if (errata !== 'DELETE') moveStake(rows, accountId, amount, from)
      for (const reward of facts.stakingRewards) payReward(rows, reward, facts.consensusTimestamp, from)
      if (facts.nodeStakeUpdate !== null && hasSucceeded(facts)) updateNodes(rows, facts)
    },
  })
  .on('EntitySnapshotted', {
    reads: ['entityId', 'asOf', 'deleted', 'stakedAccountId', 'stakedNodeId', 'declineReward', 'stakePeriodStart'],
    apply: ({ entityId, asOf, ...stated }, rows, { sequence }) => {
      const choice = {
        node: stated.deleted ? -1n : (stated.stakedNodeId ?? -1n),
        stakedAccount: stated.deleted ? 0n : (stated.stakedAccountId ?? 0n),
        declines: stated.declineReward ? 1 : 0,
        periodStart: stated.stakePeriodStart ?? -1n,
      }
      const isNone = choice.node < 0n && choice.stakedAccount === 0n && choice.declines === 0
      if (isNone && rows.get('stakers', entityId) === undefined) return
      choose(rows, entityId, choice, asOf, BigInt(sequence))
    },
  })
  .on('AccountBalanceSnapshotted', {
    reads: ['accountId', 'balance'],
    apply: ({ accountId, balance }, rows, { sequence }) => {
      moveStake(rows, accountId, (balance ?? 0n) - balanceOf(rows, accountId), BigInt(sequence))
    },
  })
  .on('AccountStakeSnapshotted', {
    reads: ['accountId', 'asOf', 'validTo', 'endStakePeriod', 'pendingReward', 'stakedNodeIdStart', 'stakeTotalStart'],
    apply: ({ accountId: account, asOf, validTo, endStakePeriod: endPeriod, ...stated }, rows, { sequence }) => {
      const update = newestUpdate(rows)
      const { pendingReward, stakedNodeIdStart: node, stakeTotalStart } = stated
      rows.put('statedStakes', { account, asOf, validTo, endPeriod, pendingReward, update })
      const before = settled(rows, account)
      const run = { from: update, node, hbars: stakeTotalStart / tinybarsPerHbar }
      rows.put('stakers', { ...withRun(rows, before, run), stated: 1, from: BigInt(sequence) })
    },
  })
  .on('NodeStakesSnapshotted', {
    reads: ['asOf', 'nodes'],
    apply: ({ asOf: time, nodes }, rows) => {
      recordUpdate(rows, { time, epochDay: nodes[0]?.epochDay ?? epochDayOf(time) - 1n, rates: nodes })
    },
  })
  .on('NetworkStakeSnapshotted', {
    reads: networkStakeFields,
    apply: (stake, rows) => rows.put('networkStakes', { time: stake.asOf, body: renderNetworkStake(stake) }),
  })

function changeChoice(rows: StakingRows, facts: Facts, from: bigint): void {
  const asked = choiceAsked(facts)
  const { entityId, consensusTimestamp: time } = facts
  if (asked === undefined || entityId === null) return
  const before = rows.get('stakers', entityId) ?? noChoice
  choose(rows, entityId, choiceAfter(before, asked, time), time, from)
}

/**
 * A reward covers all days before the present one, whose earnings begin anew; unless the same block began a new stake, which
 * counts from a later day.
 */
function payReward(
  rows: StakingRows,
  { accountId: account, amount }: StakingRewardEntry,
  time: bigint,
  from: bigint,
): void {
  rows.put('rewards', { account, time, amount })
  const row = rows.get('stakers', account)
  const paidDay = epochDayOf(time) - 1n
  if (row === undefined || row.periodStart >= paidDay) return
  choose(rows, account, { ...choiceOf(row), periodStart: paidDay }, time, from)
}

function updateNodes(rows: StakingRows, { nodeStakeUpdate: body, consensusTimestamp: time }: Facts): void {
  if (body === null) return
  recordUpdate(rows, { time, epochDay: epochDayOf(time) - 1n, rates: body.nodeStake })
  rows.put('networkStakes', { time, body: renderNetworkStake(networkStakeOf(time, body)) })
}
