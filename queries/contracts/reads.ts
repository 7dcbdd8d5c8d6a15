import { contractsSchema } from '#projections/contracts/schema.ts'
import { entitiesSchema } from '#projections/entities/schema.ts'
import type { QueryContext } from '#queries/common/route.ts'

/** What the queries of contracts read from. */
export const contractReads = { contracts: contractsSchema, entities: entitiesSchema }

export type ContractContext = QueryContext<typeof contractReads>
