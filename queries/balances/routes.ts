import { accountCountRoute } from '#queries/balances/account-count-route.ts'
import { courseRoute } from '#queries/balances/course-route.ts'
import { balanceListRoute } from '#queries/balances/list-route.ts'
import { supplyRoute } from '#queries/balances/supply-route.ts'

export const balanceRoutes = [balanceListRoute, supplyRoute, courseRoute, accountCountRoute]
