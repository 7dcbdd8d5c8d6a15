import { networkFilesSchema } from '#projections/network-files/schema.ts'
import { tokensSchema } from '#projections/tokens/schema.ts'
import { topicsSchema } from '#projections/topics/schema.ts'
import type { QueryContext } from '#queries/common/route.ts'

export const networkFilesReads = { 'network-files': networkFilesSchema }

/** A fee may depend on what else is known of the entities that a transaction names. */
export const estimateReads = { ...networkFilesReads, tokens: tokensSchema, topics: topicsSchema }

export type NetworkFilesContext = Pick<QueryContext<typeof networkFilesReads>, 'rows' | 'settings'>
export type EstimateContext = QueryContext<typeof estimateReads>
