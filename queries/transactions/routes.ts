import { transactionDetailRoute } from '#queries/transactions/detail-route.ts'
import { transactionListRoute } from '#queries/transactions/list-route.ts'

export const transactionRoutes = [transactionListRoute, transactionDetailRoute]
