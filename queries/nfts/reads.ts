import { nftsSchema } from '#projections/nfts/schema.ts'
import type { QueryContext } from '#queries/common/route.ts'

export const nftReads = { nfts: nftsSchema }
export type NftContext = QueryContext<typeof nftReads>

export const nftFields = [
  'token',
  'serial',
  'from',
  'until',
  'receiver',
  'lot',
  'created',
  'deleted',
  'metadata',
  'spender',
  'delegatingSpender',
] as const
