import { balancesSchema } from '#projections/balances/schema.ts'
import { entitiesSchema } from '#projections/entities/schema.ts'
import { tokensSchema } from '#projections/tokens/schema.ts'
import type { QueryContext } from '#queries/common/route.ts'

/** One token, with what it has in common with other entities. */
export const tokenReads = { tokens: tokensSchema, entities: entitiesSchema }

/** The same, and who holds how much of it. */
export const holdingReads = { ...tokenReads, balances: balancesSchema }

export type TokenContext = QueryContext<typeof tokenReads>
export type HoldingContext = QueryContext<typeof holdingReads>
