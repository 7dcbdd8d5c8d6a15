import { accountDetailRoute } from '#queries/accounts/detail-route.ts'
import { accountListRoute } from '#queries/accounts/list-route.ts'

export const accountRoutes = [accountListRoute, accountDetailRoute]
