import { contractRoutes as ownRoutes } from '#queries/contracts/contract-routes.ts'
import { stateRoute } from '#queries/contracts/state-route.ts'

export const contractRoutes = [...ownRoutes, stateRoute]
