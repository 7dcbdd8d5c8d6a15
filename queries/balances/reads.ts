import { balancesSchema } from '#projections/balances/schema.ts'
import { entitiesSchema } from '#projections/entities/schema.ts'
import type { QueryContext } from '#queries/common/route.ts'

export const balanceReads = { balances: balancesSchema, entities: entitiesSchema }

export type BalanceContext = QueryContext<typeof balanceReads>
