import { stakeRoute } from '#queries/staking/stake-route.ts'

export const stakingRoutes = [stakeRoute]
