import { airdropsSchema } from '#projections/airdrops/schema.ts'
import { allowancesSchema } from '#projections/allowances/schema.ts'
import { balancesSchema } from '#projections/balances/schema.ts'
import { blocksSchema } from '#projections/blocks/schema.ts'
import { contractsSchema } from '#projections/contracts/schema.ts'
import { entitiesSchema } from '#projections/entities/schema.ts'
import { networkFilesSchema } from '#projections/network-files/schema.ts'
import { nftsSchema } from '#projections/nfts/schema.ts'
import { schedulesSchema } from '#projections/schedules/schema.ts'
import { tokensSchema } from '#projections/tokens/schema.ts'
import type { QueryContext } from '#queries/common/route.ts'

/** All that a contract may see of the ledger. */
export const callReads = {
  airdrops: airdropsSchema,
  allowances: allowancesSchema,
  balances: balancesSchema,
  blocks: blocksSchema,
  contracts: contractsSchema,
  entities: entitiesSchema,
  'network-files': networkFilesSchema,
  nfts: nftsSchema,
  schedules: schedulesSchema,
  tokens: tokensSchema,
}

export type CallContext = QueryContext<typeof callReads>
