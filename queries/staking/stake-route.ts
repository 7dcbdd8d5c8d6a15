import { stakingSchema } from '#projections/staking/schema.ts'
import { notFound } from '#queries/common/errors.ts'
import { int64, objectSchema, text } from '#queries/common/object-schema.ts'
import { defineRoute } from '#queries/common/route.ts'

const reads = { staking: stakingSchema }
const fraction = { type: 'number', description: 'With nine decimals at most' }

const networkStakeSchema = objectSchema(
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

export const stakeRoute = defineRoute({
  path: '/network/stake',
  summary: 'Get the figures of staking that the last daily update set',
  tag: 'network',
  dialect: 'B',
  parameters: {},
  maxAge: 60,
  body: networkStakeSchema,
  reads,
  answer: async (_request, { rows }) => {
    const [newest] = await rows.staking.find({
      collection: 'networkStakes',
      index: ['time'],
      descending: true,
      limit: 1,
      select: ['body'],
    })
    if (newest === undefined) throw notFound('No network stake data found')
    return { body: newest.body }
  },
})
