import { blockRoutes } from '#queries/blocks/routes.ts'
import { transactionRoutes } from '#queries/transactions/routes.ts'

/** Every endpoint of the history family. */
export const apiRoutes = [...transactionRoutes, ...blockRoutes]
