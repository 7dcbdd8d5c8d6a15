import { type EntityReference, numbersOf } from '#queries/common/entity-id-parameter.ts'
import { notFound } from '#queries/common/errors.ts'
import { combineRange, type IntegerRange, requireEqual } from '#queries/common/integer-range.ts'
import { nextLink } from '#queries/common/links.ts'
import { listBody } from '#queries/common/list-body.ts'
import { type Filter, lastValue, pageSize } from '#queries/common/parameters.ts'
import { type Answer, defineRoute, type NoParameters, type QueryRequest } from '#queries/common/route.ts'
import { nftListSchema, nftSchema } from '#queries/nfts/body-schema.ts'
import { nftsOfToken } from '#queries/nfts/find-of-token.ts'
import { nftPath, ofTokenPath, serialColumn, tokenNftParameters } from '#queries/nfts/params.ts'
import { type NftContext, nftFields, nftReads } from '#queries/nfts/reads.ts'
import { renderNfts } from '#queries/nfts/render-nft.ts'
import { collectNfts, showNfts } from '#queries/nfts/show-nfts.ts'

export const tokenNftsRoute = defineRoute({
  path: '/tokens/:tokenid/nfts',
  pathParameters: ofTokenPath,
  summary: 'List the NFTs of a token',
  tag: 'tokens',
  checksFirst: 'path',
  parameters: tokenNftParameters,
  maxAge: 1,
  body: nftListSchema,
  answers: [{ reads: nftReads, answer: answerList }],
})

async function answerList(
  { params, path, query, filters }: QueryRequest<typeof tokenNftParameters, typeof ofTokenPath>,
  context: NftContext,
): Promise<Answer> {
  const { settings } = context
  const serials = requireEqual(combineRange(filters.serialnumber))
  const owners = ownersOf(filters['account.id'])
  if (serials === undefined || owners === null) return { body: listBody('nfts', [], null) }
  const order = lastValue(filters.order) ?? 'desc'
  const limit = pageSize(filters.limit, settings)
  const candidates = nftsOfToken({ token: params.tokenid, serials, owners, order, limit }, context)
  const nfts = await collectNfts(
    candidates,
    ({ serial, owner }) => !serials.excluded.includes(serial) && (owners === undefined || isIn(owners, owner)),
    limit,
    context,
  )
  const last = nfts.length === limit ? nfts.at(-1) : undefined
  const next = last ? nextLink({ path, query, order, columns: [serialColumn(last.serial)] }) : null
  return { body: listBody('nfts', renderNfts(nfts), next), next }
}

/** Who the owner may be: undefined for anybody, null for nobody. An address that is not a number's is nobody's. */
function ownersOf(filters: readonly Filter<EntityReference>[]): IntegerRange | undefined | null {
  if (filters.length === 0) return undefined
  const numbers = numbersOf(filters)
  return (numbers && requireEqual(combineRange(numbers))) ?? null
}

function isIn({ lower, upper, excluded }: IntegerRange, owner: bigint | null): boolean {
  return owner !== null && owner >= lower && owner <= upper && !excluded.includes(owner)
}

export const nftRoute = defineRoute({
  path: '/tokens/:tokenid/nfts/:serialnumber',
  pathParameters: nftPath,
  summary: 'Get an NFT',
  tag: 'tokens',
  family: 'A-exact',
  checksFirst: 'query',
  parameters: {},
  maxAge: 1,
  body: nftSchema,
  statuses: { 404: 'There is no such NFT' },
  answers: [{ reads: nftReads, answer: answerOne }],
})

async function answerOne(
  { params: { tokenid, serialnumber } }: QueryRequest<NoParameters, typeof nftPath>,
  context: NftContext,
): Promise<Answer> {
  const found = await context.rows.nfts.get('nfts', [[tokenid, serialnumber]], nftFields)
  const [nft] = await showNfts(found, context)
  if (nft === undefined) throw notFound()
  return { body: renderNfts([nft]).join() }
}
