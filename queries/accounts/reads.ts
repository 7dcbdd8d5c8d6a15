import { balancesSchema } from '#projections/balances/schema.ts'
import { entitiesSchema } from '#projections/entities/schema.ts'
import { stakingSchema } from '#projections/staking/schema.ts'
import type { QueryContext } from '#queries/common/route.ts'
import { transactionReads } from '#queries/transactions/reads.ts'

/** What the list of accounts reads from. */
export const accountReads = { entities: entitiesSchema, balances: balancesSchema, staking: stakingSchema }

/** One account comes with its transactions. */
export const accountDetailReads = { ...accountReads, ...transactionReads }

export type AccountContext = QueryContext<typeof accountReads>
export type AccountDetailContext = QueryContext<typeof accountDetailReads>
