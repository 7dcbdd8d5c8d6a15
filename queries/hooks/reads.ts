import { hooksSchema } from '#projections/hooks/schema.ts'
import type { QueryContext } from '#queries/common/route.ts'

/** What the queries of hooks read from. */
export const hookReads = { hooks: hooksSchema }

export type HookContext = QueryContext<typeof hookReads>
