import { statusSchema } from '#projections/status/schema.ts'
import type { QueryContext } from '#queries/common/route.ts'

export const statusReads = { status: statusSchema }

export type StatusContext = QueryContext<typeof statusReads>
