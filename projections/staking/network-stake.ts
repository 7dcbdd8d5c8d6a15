import type { NetworkStakeSnapshotted, NodeStakeUpdateTransactionBody } from '#schemas/events/types.ts'
import { formatLedgerTime, saturatingLedgerTime, startOfDay } from '#src/domain/ledger-time.ts'

/** Fields that both a statement and an update give, under the statement's names. */
export const networkStakeFields = [
  'asOf',
  'stakingPeriod',
  'stakingPeriodDuration',
  'stakingPeriodsStored',
  'stakeTotal',
  'maxStakeRewarded',
  'maxStakingRewardRatePerHbar',
  'maxTotalReward',
  'nodeRewardFeeNumerator',
  'nodeRewardFeeDenominator',
  'reservedStakingRewards',
  'rewardBalanceThreshold',
  'stakingRewardFeeNumerator',
  'stakingRewardFeeDenominator',
  'stakingRewardRate',
  'stakingStartThreshold',
  'unreservedStakingRewardBalance',
] as const

export type NetworkStake = Pick<NetworkStakeSnapshotted, (typeof networkStakeFields)[number]>

/** What a daily update says of the whole network. */
export function networkStakeOf(asOf: bigint, body: NodeStakeUpdateTransactionBody): NetworkStake {
  const { endOfStakingPeriod: end, nodeRewardFeeFraction: nodeFee, stakingRewardFeeFraction: stakingFee } = body
  return {
    ...body,
    asOf,
    stakingPeriod: end === null ? 0n : saturatingLedgerTime(end.seconds, end.nanos),
    stakingPeriodDuration: body.stakingPeriod,
    stakeTotal: body.nodeStake.reduce((sum, node) => sum + node.stakeRewarded + node.stakeNotRewarded, 0n),
    nodeRewardFeeNumerator: nodeFee?.numerator ?? 0n,
    nodeRewardFeeDenominator: nodeFee?.denominator ?? 0n,
    stakingRewardFeeNumerator: stakingFee?.numerator ?? 0n,
    stakingRewardFeeDenominator: stakingFee?.denominator ?? 0n,
  }
}

/** JSON text as the API shows it: the figures never change once they are set. */
export function renderNetworkStake(stake: NetworkStake): string {
  const from = stake.stakingPeriod + 1n
  const to = from + startOfDay(1n)
  const members = [
    `"max_stake_rewarded":${stake.maxStakeRewarded}`,
    `"max_staking_reward_rate_per_hbar":${stake.maxStakingRewardRatePerHbar}`,
    `"max_total_reward":${stake.maxTotalReward}`,
    `"node_reward_fee_fraction":${fraction(stake.nodeRewardFeeNumerator, stake.nodeRewardFeeDenominator)}`,
    `"reserved_staking_rewards":${stake.reservedStakingRewards}`,
    `"reward_balance_threshold":${stake.rewardBalanceThreshold}`,
    `"stake_total":${stake.stakeTotal}`,
    `"staking_period":{"from":"${formatLedgerTime(from)}","to":"${formatLedgerTime(to)}"}`,
    `"staking_period_duration":${stake.stakingPeriodDuration}`,
    `"staking_periods_stored":${stake.stakingPeriodsStored}`,
    `"staking_reward_fee_fraction":${fraction(stake.stakingRewardFeeNumerator, stake.stakingRewardFeeDenominator)}`,
    `"staking_reward_rate":${stake.stakingRewardRate}`,
    `"staking_start_threshold":${stake.stakingStartThreshold}`,
    `"unreserved_staking_reward_balance":${stake.unreservedStakingRewardBalance}`,
  ]
  return `{${members.join(',')}}`
}

/** With nine decimals at most, and no exponent, which they never need. */
function fraction(numerator: bigint, denominator: bigint): string {
  if (denominator === 0n) return '0'
  const value = Number(numerator) / Number(denominator)
  return String(Number(value.toFixed(9)))
}
