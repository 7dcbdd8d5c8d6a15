import { blocksSchema } from '#projections/blocks/schema.ts'
import { contractLogsSchema } from '#projections/contract-logs/schema.ts'
import { contractResultsSchema } from '#projections/contract-results/schema.ts'
import { contractsSchema } from '#projections/contracts/schema.ts'
import { entitiesSchema } from '#projections/entities/schema.ts'
import { transactionsSchema } from '#projections/transactions/schema.ts'
import type { QueryContext } from '#queries/common/route.ts'

/** What the queries of contract results read from: the others for blocks, addresses, transaction ids and call data in files. */
export const resultReads = {
  'contract-results': contractResultsSchema,
  blocks: blocksSchema,
  contracts: contractsSchema,
  entities: entitiesSchema,
  transactions: transactionsSchema,
}

/** One result comes with its logs. */
export const resultDetailReads = { ...resultReads, 'contract-logs': contractLogsSchema }

export type ResultContext = QueryContext<typeof resultReads>
export type ResultDetailContext = QueryContext<typeof resultDetailReads>
