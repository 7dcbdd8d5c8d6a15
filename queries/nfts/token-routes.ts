import { type EntityReference, numbersOf } from '#queries/common/entity-id-parameter.ts'
import { notFound } from '#queries/common/errors.ts'
import { defineListRoute } from '#queries/common/list-route.ts'
import type { Filter } from '#queries/common/parameters.ts'
import { includes, requireEqual, type Selection, selectionOf } from '#queries/common/range.ts'
import { defineRoute } from '#queries/common/route.ts'
import { asTheyWere } from '#queries/nfts/as-they-were.ts'
import { nftsOfToken, type TokenQuery } from '#queries/nfts/find-of-token.ts'
import { nftPath, ofTokenPath, tokenNftParameters } from '#queries/nfts/params.ts'
import { type NftContext, nftFields, nftReads } from '#queries/nfts/reads.ts'
import { nftObject, renderNfts } from '#queries/nfts/render-nft.ts'
import { collectNfts, showNfts } from '#queries/nfts/show-nfts.ts'

export const tokenNftsRoute = defineListRoute({
  path: '/tokens/:tokenid/nfts',
  pathParameters: ofTokenPath,
  summary: 'List the NFTs of a token',
  tag: 'tokens',
  checksFirst: 'path',
  parameters: tokenNftParameters,
  maxAge: 1,
  item: nftObject.schema,
  reads: nftReads,
  list: 'nfts',
  find: async ({ params, filters, order, limit }, context) => {
    const serials = requireEqual(selectionOf(filters.serialnumber))
    const owners = ownersOf(filters['account.id'])
    if (serials === undefined || owners === null) return []
    return collectNfts(
      candidatesOf({ token: params.tokenid, serials, owners, order, limit }, context),
      ({ serial, owner }) =>
        !serials.excluded.includes(serial) && (owners === undefined || (owner !== null && includes(owners, owner))),
      limit,
      context,
    )
  },
  renderAll: renderNfts,
  position: ({ serial }) => ({ serialnumber: serial }),
})

/** By serial number alone they are found where they always were. */
function candidatesOf(query: TokenQuery, context: NftContext) {
  const { token, serials, owners, order, limit } = query
  const found = nftsOfToken(query, context)
  if (owners === undefined) return found
  const wanted = {
    order,
    limit,
    serialsOf: (other: bigint) => (other === token ? serials : undefined),
    isHolder: (holder: bigint) => holder >= owners.lower && holder <= owners.upper,
  }
  return asTheyWere(found, wanted, context)
}

/** Who the owner may be: undefined for anybody, null for nobody. An address that is not a number's is nobody's. */
function ownersOf(filters: readonly Filter<EntityReference>[]): Selection | undefined | null {
  if (filters.length === 0) return undefined
  const numbers = numbersOf(filters)
  return (numbers && requireEqual(selectionOf(numbers))) ?? null
}

export const nftRoute = defineRoute({
  path: '/tokens/:tokenid/nfts/:serialnumber',
  pathParameters: nftPath,
  summary: 'Get an NFT',
  tag: 'tokens',
  dialect: 'A-exact',
  checksFirst: 'query',
  parameters: {},
  maxAge: 1,
  body: nftObject.schema,
  statuses: { 404: 'There is no such NFT' },
  reads: nftReads,
  answer: async ({ params: { tokenid, serialnumber } }, context) => {
    const found = await context.rows.nfts.get('nfts', [[tokenid, serialnumber]], nftFields)
    const [nft] = await showNfts(found, context)
    if (nft === undefined) throw notFound()
    return { body: renderNfts([nft]).join() }
  },
})
