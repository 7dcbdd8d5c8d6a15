import { assertColumns, hasOperator, rangeOfColumns } from '#queries/common/column-bounds.ts'
import type { EntityReference } from '#queries/common/entity-id-parameter.ts'
import { invalidParameters } from '#queries/common/errors.ts'
import { getAccountId } from '#queries/common/find-entity.ts'
import { defineListRoute } from '#queries/common/list-route.ts'
import type { Filter, Filters } from '#queries/common/parameters.ts'
import type { QueryParameters } from '#queries/common/query-string.ts'
import { selectionOf, valuesOf } from '#queries/common/range.ts'
import { asTheyWere } from '#queries/nfts/as-they-were.ts'
import { approvedNfts, type Spenders } from '#queries/nfts/find-approved.ts'
import { heldNfts } from '#queries/nfts/find-held.ts'
import { serialsOf } from '#queries/nfts/pairs.ts'
import { accountNftParameters, ofAccountPath } from '#queries/nfts/params.ts'
import { nftReads } from '#queries/nfts/reads.ts'
import { nftObject, renderNfts } from '#queries/nfts/render-nft.ts'
import { collectNfts } from '#queries/nfts/show-nfts.ts'

export const accountNftsRoute = defineListRoute({
  path: '/accounts/:idOrAliasOrEvmAddress/nfts',
  pathParameters: ofAccountPath,
  summary: 'List the NFTs of an account',
  tag: 'accounts',
  checksFirst: 'lookup',
  parameters: accountNftParameters,
  maxAge: 1,
  item: nftObject.schema,
  reads: nftReads,
  list: 'nfts',
  find: async (request, context) => {
    const account = await getAccountId(context.rows.nfts, request.params.idOrAliasOrEvmAddress)
    const { filters, query, order, limit } = request
    const { selection, spenders } = criteriaOf(filters, query)
    const held = { account, selection, order, limit }
    const wanted = {
      order,
      limit,
      serialsOf: (token: bigint) => serialsOf(selection, token),
      // Approvals are not touched where lots are handed over.
      isHolder: (holder: bigint) => holder === account && spenders === undefined,
    }
    const candidates = spenders ? approvedNfts(held, spenders, context) : heldNfts(held, context)
    return collectNfts(
      asTheyWere(candidates, wanted, context),
      ({ owner, spender }) => owner === account && (spenders === undefined || matches(spenders, spender)),
      limit,
      context,
    )
  },
  renderAll: renderNfts,
  position: ({ token, serial }) => ({ 'token.id': token, serialnumber: serial }),
})

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
  const selection = selectionOf(numbers)
  return { ...selection, equal: isOfNobody ? [] : valuesOf(selection, 'asc') }
}

function matches({ equal, lower, upper }: Spenders, spender: bigint | null): boolean {
  if (spender === null) return false
  return equal === undefined ? spender >= lower && spender <= upper : equal.includes(spender)
}
