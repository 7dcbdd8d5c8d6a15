import { statusApiRoutes } from '#queries/status/api-routes.ts'
import { feedRoutes } from '#queries/status/feed-routes.ts'
import { statusPageRoutes } from '#queries/status/page-routes.ts'

/** Everything that the status page answers to those who read it. */
export const statusRoutes = [...statusApiRoutes, ...feedRoutes, ...statusPageRoutes]
