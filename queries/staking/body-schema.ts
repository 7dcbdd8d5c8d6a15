import { int64, objectSchema, text } from '#queries/common/object-schema.ts'

const fraction = { type: 'number', description: 'With nine decimals at most' }

export const networkStakeSchema = objectSchema(
  {
    max_stake_rewarded: int64,
    max_staking_reward_rate_per_hbar: int64,
    max_total_reward: int64,
    node_reward_fee_fraction: fraction,
    reserved_staking_rewards: int64,
    reward_balance_threshold: int64,
    stake_total: int64,
    staking_period: { type: 'object', properties: { from: text, to: text } },
    staking_period_duration: { ...int64, description: 'Minutes' },
    staking_periods_stored: int64,
    staking_reward_fee_fraction: fraction,
    staking_reward_rate: int64,
    staking_start_threshold: int64,
    unreserved_staking_reward_balance: int64,
  },
  { title: 'NetworkStake' },
)

export const rewardSchema = objectSchema(
  { account_id: text, amount: { ...int64, description: 'tinybar' }, timestamp: text },
  { title: 'Reward' },
)
