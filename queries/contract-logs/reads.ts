import { blocksSchema } from '#projections/blocks/schema.ts'
import { contractLogsSchema } from '#projections/contract-logs/schema.ts'
import { entitiesSchema } from '#projections/entities/schema.ts'
import { transactionsSchema } from '#projections/transactions/schema.ts'
import type { QueryContext } from '#queries/common/route.ts'

/** What the queries of logs read from: their blocks are those of the blocks; the first transaction bounds a search. */
export const logReads = { 'contract-logs': contractLogsSchema, blocks: blocksSchema, transactions: transactionsSchema }

/** Those of one contract: whose address is a contract's is known by the entities. */
export const contractLogReads = { ...logReads, entities: entitiesSchema }

export type LogContext = QueryContext<typeof logReads>
