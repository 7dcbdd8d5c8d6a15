import { hbarAllowancesSchema, tokenAllowancesSchema } from '#queries/allowances/body-schema.ts'
import {
  type AllowanceContext,
  allowanceReads,
  findHbarAllowances,
  findTokenAllowances,
} from '#queries/allowances/find-allowances.ts'
import { hbarParameters, ownerPath, tokenParameters } from '#queries/allowances/params.ts'
import { renderHbarAllowance, renderTokenAllowance } from '#queries/allowances/render.ts'
import { selectSpenders, selectTokens } from '#queries/allowances/selection.ts'
import { entityIdColumn } from '#queries/common/entity-id-parameter.ts'
import { getAccountId } from '#queries/common/find-entity.ts'
import { nextLink } from '#queries/common/links.ts'
import { listBody } from '#queries/common/list-body.ts'
import { lastValue, pageSize } from '#queries/common/parameters.ts'
import { type Answer, defineRoute, type QueryRequest } from '#queries/common/route.ts'

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
  const spenders = selectSpenders(filters['spender.id'])
  const allowances = await findHbarAllowances({ owner, order, limit }, spenders, context)
  const last = allowances.length === limit ? allowances.at(-1) : undefined
  const columns = last ? [entityIdColumn('spender.id', last.spender, settings)] : []
  const next = last ? nextLink({ path, query, order, columns }) : null
  return { body: listBody('allowances', allowances.map(renderHbarAllowance), next), next }
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
  const selection = selectTokens(query, filters)
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
