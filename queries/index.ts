import { blockRoutes } from '#queries/blocks/routes.ts'
import { hookRoutes } from '#queries/hooks/routes.ts'
import { networkRoutes } from '#queries/network/routes.ts'
import { transactionRoutes } from '#queries/transactions/routes.ts'

/** Every endpoint of the history family. */
export const apiRoutes = [...transactionRoutes, ...blockRoutes, ...hookRoutes, ...networkRoutes]
