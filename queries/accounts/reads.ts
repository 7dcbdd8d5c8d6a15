import { balancesSchema } from '#projections/balances/schema.ts'
import { accountTextFields } from '#projections/entities/render.ts'
import { type EntityRow, entitiesSchema } from '#projections/entities/schema.ts'
import { stakingSchema } from '#projections/staking/schema.ts'
import type { QueryContext } from '#queries/common/route.ts'
import { transactionReads } from '#queries/transactions/reads.ts'

/** What the list of accounts reads from. */
export const accountReads = { entities: entitiesSchema, balances: balancesSchema, staking: stakingSchema }

/** One account comes with its transactions. */
export const accountDetailReads = { ...accountReads, ...transactionReads }

export type AccountContext = QueryContext<typeof accountReads>
export type AccountDetailContext = QueryContext<typeof accountDetailReads>

/** What is read of a version that was not written as it is shown. */
export const accountFields = ['type', 'from', ...accountTextFields] as const satisfies readonly (keyof EntityRow)[]

export type AccountRow = Pick<EntityRow, (typeof accountFields)[number]>
