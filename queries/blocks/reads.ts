import { blocksSchema } from '#projections/blocks/schema.ts'
import type { QueryContext } from '#queries/common/route.ts'

/** What the queries of blocks read from. */
export const blockReads = { blocks: blocksSchema }

export type BlockContext = QueryContext<typeof blockReads>
