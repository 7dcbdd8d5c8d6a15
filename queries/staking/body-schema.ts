import { linksSchema, objectSchema } from '#queries/common/object-schema.ts'

const text = { type: 'string' }
const amount = { type: 'integer', format: 'int64' }
const fraction = { type: 'number', description: 'With nine decimals at most' }

export const networkStakeSchema = objectSchema(
  {
    max_stake_rewarded: amount,
    max_staking_reward_rate_per_hbar: amount,
    max_total_reward: amount,
    node_reward_fee_fraction: fraction,
    reserved_staking_rewards: amount,
    reward_balance_threshold: amount,
    stake_total: amount,
    staking_period: { type: 'object', properties: { from: text, to: text } },
    staking_period_duration: { ...amount, description: 'Minutes' },
    staking_periods_stored: amount,
    staking_reward_fee_fraction: fraction,
    staking_reward_rate: amount,
    staking_start_threshold: amount,
    unreserved_staking_reward_balance: amount,
  },
  { title: 'NetworkStake' },
)

export const rewardListSchema = objectSchema(
  {
    rewards: {
      type: 'array',
      items: {
        type: 'object',
        properties: { account_id: text, amount: { ...amount, description: 'tinybar' }, timestamp: text },
      },
    },
    links: linksSchema,
  },
  { title: 'RewardList' },
)
