import { stakingSchema } from '#projections/staking/schema.ts'
import { notFound } from '#queries/common/errors.ts'
import { defineRoute } from '#queries/common/route.ts'
import { networkStakeSchema } from '#queries/staking/body-schema.ts'

const reads = { staking: stakingSchema }

export const stakeRoute = defineRoute({
  path: '/network/stake',
  summary: 'Get the figures of staking that the last daily update set',
  tag: 'network',
  family: 'B',
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
