import { hbarAllowancesSchema, tokenAllowancesSchema } from '#queries/allowances/body-schema.ts'
import { findHbarAllowances, findTokenAllowances } from '#queries/allowances/find-allowances.ts'
import { hbarParameters, idsOf, ownerPath, tokenParameters } from '#queries/allowances/params.ts'
import { type AllowanceContext, allowanceReads } from '#queries/allowances/reads.ts'
import { renderHbarAllowance, renderTokenAllowance } from '#queries/allowances/render.ts'
import { selectColumns } from '#queries/common/column-bounds.ts'
import { entityIdColumn } from '#queries/common/entity-id-parameter.ts'
import { invalidParameters } from '#queries/common/errors.ts'
import { getAccountId } from '#queries/common/find-entity.ts'
import { combineRange } from '#queries/common/integer-range.ts'
import { nextLink } from '#queries/common/links.ts'
import { listBody } from '#queries/common/list-body.ts'
import { type Filter, lastValue, pageSize } from '#queries/common/parameters.ts'
import { type Answer, defineRoute, type QueryRequest } from '#queries/common/route.ts'
import { sorted } from '#queries/common/selection.ts'
import type { TupleRange } from '#queries/common/tuple-range.ts'
import { minInt64 } from '#src/domain/ledger-time.ts'

const ofAccount = { tag: 'accounts', checksFirst: 'lookup', maxAge: 1, pathParameters: ownerPath } as const

const hbarRoute = defineRoute({
  path: '/accounts/:idOrAliasOrEvmAddress/allowances/crypto',
  summary: 'List what spenders may still take of the hbar of an account',
  ...ofAccount,
  parameters: hbarParameters,
  body: hbarAllowancesSchema,
  answers: [{ reads: allowanceReads, answer: answerHbar }],
})

async function answerHbar(
  request: QueryRequest<typeof hbarParameters, typeof ownerPath>,
  context: AllowanceContext,
): Promise<Answer> {
  const { rows, checkpoint, settings } = context
  const owner = await getAccountId(rows.allowances, request.params.idOrAliasOrEvmAddress, checkpoint)
  const { filters, path, query } = request
  const order = lastValue(filters.order) ?? 'desc'
  const limit = pageSize(filters.limit, settings)
  const spenders = rangesOf(idsOf(filters['spender.id']))
  const allowances = await findHbarAllowances({ owner, order, limit }, spenders, context)
  const last = allowances.length === limit ? allowances.at(-1) : undefined
  const columns = last ? [entityIdColumn('spender.id', last.spender, settings)] : []
  const next = last ? nextLink({ path, query, order, columns }) : null
  return { body: listBody('allowances', allowances.map(renderHbarAllowance), next), next }
}

/** Values given with `eq` form a set, of which the bounds leave what lies within. */
function rangesOf(filters: readonly Filter<bigint | undefined>[]): TupleRange[] {
  if (filters.some(({ operator }) => operator === 'ne'))
    throw invalidParameters(['Not equal (ne) comparison operator is not supported for spender.id'])
  const known = filters.filter((filter): filter is Filter<bigint> => filter.value !== undefined)
  if (filters.some(({ operator, value }) => operator !== 'eq' && value === undefined)) return []
  const { lower, upper, equal } = combineRange(known, minInt64)
  if (filters.every(({ operator }) => operator !== 'eq')) return [{ lower: [lower], upper: [upper] }]
  const within = equal.filter((value) => value >= lower && value <= upper)
  return sorted(within, 'asc').map((value) => ({ lower: [value], upper: [value] }))
}

const tokenRoute = defineRoute({
  path: '/accounts/:idOrAliasOrEvmAddress/allowances/tokens',
  summary: 'List what spenders may still take of the fungible tokens of an account',
  ...ofAccount,
  parameters: tokenParameters,
  body: tokenAllowancesSchema,
  answers: [{ reads: allowanceReads, answer: answerTokens }],
})

async function answerTokens(
  request: QueryRequest<typeof tokenParameters, typeof ownerPath>,
  context: AllowanceContext,
): Promise<Answer> {
  const { rows, checkpoint, settings } = context
  const owner = await getAccountId(rows.allowances, request.params.idOrAliasOrEvmAddress, checkpoint)
  const { filters, path, query } = request
  const order = lastValue(filters.order) ?? 'asc'
  const limit = pageSize(filters.limit, settings)
  const selection = selectColumns(
    query,
    { name: 'spender.id', filters: idsOf(filters['spender.id']) },
    { name: 'token.id', filters: idsOf(filters['token.id']) },
  )
  const allowances = selection ? await findTokenAllowances({ owner, order, limit }, selection, context) : []
  const last = allowances.length === limit ? allowances.at(-1) : undefined
  const next = last
    ? nextLink({
        ...{ path, query, order },
        columns: [
          entityIdColumn('spender.id', last.spender, settings),
          entityIdColumn('token.id', last.token, settings),
        ],
      })
    : null
  return { body: listBody('allowances', allowances.map(renderTokenAllowance), next), next }
}

export const allowanceRoutes = [hbarRoute, tokenRoute]
