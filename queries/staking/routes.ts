import { rewardsRoute } from '#queries/staking/rewards-route.ts'
import { stakeRoute } from '#queries/staking/stake-route.ts'

export const stakingRoutes = [rewardsRoute, stakeRoute]
