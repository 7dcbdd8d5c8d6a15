import { blocksSchema } from '#projections/blocks/schema.ts'
import { contractLogsSchema } from '#projections/contract-logs/schema.ts'
import { transactionsSchema } from '#projections/transactions/schema.ts'
import type { QueryContext } from '#queries/common/route.ts'

/** What the queries of logs read from: their blocks are those of the blocks; the first transaction bounds a search. */
export const logReads = { 'contract-logs': contractLogsSchema, blocks: blocksSchema, transactions: transactionsSchema }

export type LogContext = QueryContext<typeof logReads>
