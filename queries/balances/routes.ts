import { supplyRoute } from '#queries/balances/supply-route.ts'

export const balanceRoutes = [supplyRoute]
