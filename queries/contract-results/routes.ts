import { actionsRoute } from '#queries/contract-results/actions-route.ts'
import { resultDetailRoutes } from '#queries/contract-results/detail-routes.ts'
import { resultListRoutes } from '#queries/contract-results/list-routes.ts'
import { opcodesRoute } from '#queries/contract-results/opcodes-route.ts'
import { prestateRoute } from '#queries/contract-results/prestate-route.ts'

export const contractResultRoutes = [
  ...resultListRoutes,
  ...resultDetailRoutes,
  actionsRoute,
  opcodesRoute,
  prestateRoute,
]
