import { accountCountRoute } from '#queries/balances/account-count-route.ts'
import { historyRoute } from '#queries/balances/history-route.ts'
import { balanceListRoute } from '#queries/balances/list-route.ts'
import { supplyRoute } from '#queries/balances/supply-route.ts'

export const balanceRoutes = [balanceListRoute, supplyRoute, historyRoute, accountCountRoute]
