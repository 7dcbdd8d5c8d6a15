import { blocksSchema } from '#projections/blocks/schema.ts'
import { contractLogsSchema } from '#projections/contract-logs/schema.ts'
import { contractResultsSchema } from '#projections/contract-results/schema.ts'
import { contractsSchema } from '#projections/contracts/schema.ts'
import { entitiesSchema } from '#projections/entities/schema.ts'
import { transactionsSchema } from '#projections/transactions/schema.ts'
import type { QueryContext } from '#queries/common/route.ts'
import { networkFilesReads } from '#queries/network-files/reads.ts'

/**
 * What the queries of contract results read from: the others for blocks, addresses, transaction ids, call data in files, what
 * tokens did and its logs, and prices of gas.
 */
export const resultReads = {
  'contract-results': contractResultsSchema,
  blocks: blocksSchema,
  contracts: contractsSchema,
  entities: entitiesSchema,
  transactions: transactionsSchema,
  'contract-logs': contractLogsSchema,
  ...networkFilesReads,
}

export type ResultContext = QueryContext<typeof resultReads>
