import { allowancesSchema } from '#projections/allowances/schema.ts'
import type { QueryContext } from '#queries/common/route.ts'

/** What the queries of allowances read from. */
export const allowanceReads = { allowances: allowancesSchema }

export type AllowanceContext = QueryContext<typeof allowanceReads>
