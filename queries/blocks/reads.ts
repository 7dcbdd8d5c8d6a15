import { blocksSchema } from '#projections/blocks/schema.ts'
import { contractLogsSchema } from '#projections/contract-logs/schema.ts'
import type { QueryContext } from '#queries/common/route.ts'

/** What the queries of blocks read from. */
export type BlockContext = QueryContext<{ readonly blocks: typeof blocksSchema }>

/** The same with what blocks are shown with. */
export const shownBlockReads = { blocks: blocksSchema, 'contract-logs': contractLogsSchema }
