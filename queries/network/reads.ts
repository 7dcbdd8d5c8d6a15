import { networkSchema } from '#projections/network/schema.ts'
import type { QueryContext } from '#queries/common/route.ts'

/** What the queries of nodes read from. */
export const networkReads = { network: networkSchema }

export type NetworkContext = QueryContext<typeof networkReads>
