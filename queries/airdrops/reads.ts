import { airdropsSchema } from '#projections/airdrops/schema.ts'
import type { QueryContext } from '#queries/common/route.ts'

/** What the queries of airdrops read from. */
export const airdropReads = { airdrops: airdropsSchema }

export type AirdropContext = QueryContext<typeof airdropReads>
