import { findHbarAllowances, findTokenAllowances } from '#queries/allowances/find-allowances.ts'
import { hbarParameters, idsOf, ownerPath, tokenParameters } from '#queries/allowances/params.ts'
import { type AllowanceContext, allowanceReads } from '#queries/allowances/reads.ts'
import { hbarAllowance, tokenAllowance } from '#queries/allowances/render.ts'
import { selectColumns } from '#queries/common/column-bounds.ts'
import { invalidParameters } from '#queries/common/errors.ts'
import { getAccountId } from '#queries/common/find-entity.ts'
import { defineListRoute } from '#queries/common/list-route.ts'
import type { Filter } from '#queries/common/parameters.ts'
import type { PathValues } from '#queries/common/path-parameters.ts'
import { selectionOf, valuesOf } from '#queries/common/range.ts'
import type { TupleRange } from '#queries/common/tuple-range.ts'
import { minInt64 } from '#src/domain/ledger-time.ts'

const ofAccount = {
  pathParameters: ownerPath,
  tag: 'accounts',
  checksFirst: 'lookup',
  maxAge: 1,
  reads: allowanceReads,
  list: 'allowances',
} as const

const hbarRoute = defineListRoute({
  path: '/accounts/:idOrAliasOrEvmAddress/allowances/crypto',
  summary: 'List what spenders may still take of the hbar of an account',
  ...ofAccount,
  parameters: hbarParameters,
  item: hbarAllowance.schema,
  find: async (request, context) => {
    const owner = await ownerOf(request, context)
    const { filters, order, limit } = request
    return findHbarAllowances({ owner, order, limit }, rangesOf(idsOf(filters['spender.id'])), context)
  },
  render: hbarAllowance.render,
  position: ({ spender }) => ({ 'spender.id': spender }),
})

/** Values given with `eq` form a set, of which the bounds leave what lies within. */
function rangesOf(filters: readonly Filter<bigint | undefined>[]): TupleRange[] {
  if (filters.some(({ operator }) => operator === 'ne'))
    throw invalidParameters(['Not equal (ne) comparison operator is not supported for spender.id'])
  const known = filters.filter((filter): filter is Filter<bigint> => filter.value !== undefined)
  if (filters.some(({ operator, value }) => operator !== 'eq' && value === undefined)) return []
  const selection = selectionOf(known, minInt64)
  if (filters.every(({ operator }) => operator !== 'eq'))
    return [{ lower: [selection.lower], upper: [selection.upper] }]
  return (valuesOf(selection, 'asc') ?? []).map((value) => ({ lower: [value], upper: [value] }))
}

const tokenRoute = defineListRoute({
  path: '/accounts/:idOrAliasOrEvmAddress/allowances/tokens',
  summary: 'List what spenders may still take of the fungible tokens of an account',
  ...ofAccount,
  parameters: tokenParameters,
  item: tokenAllowance.schema,
  find: async (request, context) => {
    const owner = await ownerOf(request, context)
    const { filters, query, order, limit } = request
    const selection = selectColumns(
      query,
      { name: 'spender.id', filters: idsOf(filters['spender.id']) },
      { name: 'token.id', filters: idsOf(filters['token.id']) },
    )
    return selection ? findTokenAllowances({ owner, order, limit }, selection, context) : []
  },
  render: tokenAllowance.render,
  position: ({ spender, token }) => ({ 'spender.id': spender, 'token.id': token }),
})

function ownerOf(
  { params }: { readonly params: PathValues<typeof ownerPath> },
  { rows }: AllowanceContext,
): Promise<bigint> {
  return getAccountId(rows.allowances, params.idOrAliasOrEvmAddress)
}

export const allowanceRoutes = [hbarRoute, tokenRoute]
