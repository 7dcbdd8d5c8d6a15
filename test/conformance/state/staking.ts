import type { CaseRow, CaseRows } from '#test/conformance/case-file.ts'
import * as read from '#test/conformance/row-values.ts'
import { type Statement, statement, validityOf, versionsOf } from '#test/conformance/state/statement.ts'

/** Tables `entity_stake`, `entity_stake_history`, `node_stake` and `network_stake`. */
export function stakingStatements(rows: CaseRows): Statement[] {
  return [
    ...versionsOf(rows, 'entity_stake').map(accountStake),
    ...nodeStakes(rows),
    ...(rows['network_stake'] ?? []).map(networkStake),
  ]
}

function accountStake(row: CaseRow): Statement {
  const accountId = read.int64(row, 'id')
  return statement('AccountStakeSnapshotted', `account-stake/${accountId}`, {
    accountId,
    ...validityOf(row),
    endStakePeriod: read.int64(row, 'end_stake_period'),
    pendingReward: read.int64(row, 'pending_reward'),
    stakedNodeIdStart: read.int64(row, 'staked_node_id_start'),
    stakedToMe: read.int64(row, 'staked_to_me'),
    stakeTotalStart: read.int64(row, 'stake_total_start'),
  })
}

/** One statement for each update, of all nodes that it names. */
function nodeStakes(rows: CaseRows): Statement[] {
  const updates = Map.groupBy(rows['node_stake'] ?? [], (row) => read.int64(row, 'consensus_timestamp'))
  return [...updates].map(([asOf, nodes]) =>
    statement('NodeStakesSnapshotted', 'node-stakes', { asOf, nodes: nodes.map(nodeStake) }),
  )
}

function nodeStake(row: CaseRow) {
  return {
    nodeId: read.int64(row, 'node_id'),
    epochDay: read.int64(row, 'epoch_day'),
    stakingPeriod: read.int64(row, 'staking_period'),
    maxStake: read.int64(row, 'max_stake'),
    minStake: read.int64(row, 'min_stake'),
    rewardRate: read.int64(row, 'reward_rate'),
    stake: read.int64(row, 'stake'),
    stakeNotRewarded: read.int64(row, 'stake_not_rewarded'),
    stakeRewarded: read.int64(row, 'stake_rewarded'),
  }
}

function networkStake(row: CaseRow): Statement {
  return statement('NetworkStakeSnapshotted', 'network-stake', {
    asOf: read.int64(row, 'consensus_timestamp'),
    epochDay: read.int64(row, 'epoch_day'),
    stakingPeriod: read.int64(row, 'staking_period'),
    stakingPeriodDuration: read.int64(row, 'staking_period_duration'),
    stakingPeriodsStored: read.int64(row, 'staking_periods_stored'),
    stakeTotal: read.int64(row, 'stake_total'),
    maxStakeRewarded: read.int64(row, 'max_stake_rewarded'),
    maxStakingRewardRatePerHbar: read.int64(row, 'max_staking_reward_rate_per_hbar'),
    maxTotalReward: read.int64(row, 'max_total_reward'),
    nodeRewardFeeNumerator: read.int64(row, 'node_reward_fee_numerator'),
    nodeRewardFeeDenominator: read.int64(row, 'node_reward_fee_denominator'),
    reservedStakingRewards: read.int64(row, 'reserved_staking_rewards'),
    rewardBalanceThreshold: read.int64(row, 'reward_balance_threshold'),
    stakingRewardFeeNumerator: read.int64(row, 'staking_reward_fee_numerator'),
    stakingRewardFeeDenominator: read.int64(row, 'staking_reward_fee_denominator'),
    stakingRewardRate: read.int64(row, 'staking_reward_rate'),
    stakingStartThreshold: read.int64(row, 'staking_start_threshold'),
    unreservedStakingRewardBalance: read.int64(row, 'unreserved_staking_reward_balance'),
  })
}
