import { assertColumns, hasOperator, rangeOfColumns } from '#queries/common/column-bounds.ts'
import type { EntityReference } from '#queries/common/entity-id-parameter.ts'
import { entityIdColumn } from '#queries/common/entity-id-parameter.ts'
import { invalidParameters } from '#queries/common/errors.ts'
import { getAccountId } from '#queries/common/find-entity.ts'
import { nextLink } from '#queries/common/links.ts'
import { listBody } from '#queries/common/list-body.ts'
import { type Filter, type Filters, lastValue, pageSize } from '#queries/common/parameters.ts'
import type { QueryParameters } from '#queries/common/query-string.ts'
import { type Answer, defineRoute, type QueryRequest } from '#queries/common/route.ts'
import { selectionOf } from '#queries/common/selection.ts'
import { nftListSchema } from '#queries/nfts/body-schema.ts'
import { approvedNfts, type Spenders } from '#queries/nfts/find-approved.ts'
import { heldNfts } from '#queries/nfts/find-held.ts'
import { accountNftParameters, ofAccountPath, serialColumn } from '#queries/nfts/params.ts'
import { type NftContext, nftReads } from '#queries/nfts/reads.ts'
import { renderNfts } from '#queries/nfts/render-nft.ts'
import { collectNfts } from '#queries/nfts/show-nfts.ts'
import { maxInt64 } from '#src/domain/ledger-time.ts'

export const accountNftsRoute = defineRoute({
  path: '/accounts/:idOrAliasOrEvmAddress/nfts',
  pathParameters: ofAccountPath,
  summary: 'List the NFTs of an account',
  tag: 'accounts',
  checksFirst: 'lookup',
  parameters: accountNftParameters,
  isNewest: true,
  maxAge: 1,
  body: nftListSchema,
  answers: [{ reads: nftReads, answer }],
})

async function answer(
  request: QueryRequest<typeof accountNftParameters, typeof ofAccountPath>,
  context: NftContext,
): Promise<Answer> {
  const { rows, checkpoint, settings } = context
  const account = await getAccountId(rows.nfts, request.params.idOrAliasOrEvmAddress, checkpoint)
  const { filters, path, query } = request
  const { selection, spenders } = criteriaOf(filters, query)
  const order = lastValue(filters.order) ?? 'desc'
  const limit = pageSize(filters.limit, settings)
  const held = { account, selection, order, limit }
  const nfts = await collectNfts(
    spenders ? approvedNfts(held, spenders, context) : heldNfts(held, context),
    ({ owner, spender }) => owner === account && (spenders === undefined || matches(spenders, spender)),
    limit,
    context,
  )
  const last = nfts.length === limit ? nfts.at(-1) : undefined
  const columns = last ? [entityIdColumn('token.id', last.token, settings), serialColumn(last.serial)] : []
  const next = last ? nextLink({ path, query, order, columns }) : null
  return { body: listBody('nfts', renderNfts(nfts), next), next }
}

/** Columns are checked in the order of the request, then what they say together, and spenders last. */
function criteriaOf(filters: Filters<typeof accountNftParameters>, query: QueryParameters) {
  const columns = [
    { name: 'token.id', filters: filters['token.id'] },
    { name: 'serialnumber', filters: filters.serialnumber },
  ] as const
  assertColumns(query, ...columns)
  assertSpenders(filters['spender.id'])
  return { selection: rangeOfColumns(...columns), spenders: spendersOf(filters['spender.id']) }
}

function assertSpenders(filters: readonly Filter<EntityReference>[]): void {
  const count = (first: string) => filters.filter(({ operator }) => operator.startsWith(first)).length
  if (count('ne') > 0) throw invalidParameters(['Not equals (ne) comparison operator is not supported'])
  if (count('g') > 1 || count('l') > 1) throw invalidParameters(['Multiple range params not allowed for spender.id'])
}

/** A set that the bounds cut, or what lies between them. An address that is not a number's is nobody's. */
function spendersOf(filters: readonly Filter<EntityReference>[]): Spenders | undefined {
  if (filters.length === 0) return undefined
  const numbers = filters.flatMap(({ operator, value }) => (value.kind === 'id' ? [{ operator, value: value.id }] : []))
  const isOfNobody = numbers.length < filters.length && !hasOperator(numbers, 'eq')
  const { equal, lower, upper } = selectionOf(numbers, maxInt64)
  return { equal: isOfNobody ? [] : equal, lower, upper }
}

function matches({ equal, lower, upper }: Spenders, spender: bigint | null): boolean {
  if (spender === null) return false
  return equal === undefined ? spender >= lower && spender <= upper : equal.includes(spender)
}
