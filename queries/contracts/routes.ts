import { contractDetailRoute } from '#queries/contracts/detail-route.ts'
import { contractListRoute } from '#queries/contracts/list-route.ts'
import { stateRoute } from '#queries/contracts/state-route.ts'

export const contractRoutes = [contractListRoute, contractDetailRoute, stateRoute]
