import { actionsRoute } from '#queries/contract-calls/actions-route.ts'
import { callRoute } from '#queries/contract-calls/call-route.ts'
import { simulateRoute } from '#queries/contract-calls/simulate-route.ts'

export const contractCallRoutes = [callRoute, actionsRoute, simulateRoute]
