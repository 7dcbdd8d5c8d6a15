import { entityIdColumn } from '#queries/common/entity-id-parameter.ts'
import { nextLink } from '#queries/common/links.ts'
import { listBody } from '#queries/common/list-body.ts'
import { type Answer, defineRoute, type QueryRequest } from '#queries/common/route.ts'
import { tokenListSchema } from '#queries/tokens/body-schema.ts'
import { assertNameAlone, tokenCriteria } from '#queries/tokens/criteria.ts'
import { findTokenPage } from '#queries/tokens/find-token-page.ts'
import { tokenListParameters } from '#queries/tokens/params.ts'
import { type HoldingContext, holdingReads } from '#queries/tokens/reads.ts'
import { renderListedToken } from '#queries/tokens/render.ts'

export const tokenListRoute = defineRoute({
  path: '/tokens',
  summary: 'List tokens by id',
  tag: 'tokens',
  checksFirst: 'lookup',
  parameters: tokenListParameters,
  maxAge: 10,
  body: tokenListSchema,
  answers: [{ reads: holdingReads, answer }],
})

async function answer(request: QueryRequest<typeof tokenListParameters>, context: HoldingContext): Promise<Answer> {
  const { path, query } = request
  assertNameAlone(query)
  const { filters } = request
  const { settings } = context
  const criteria = tokenCriteria(filters, query, settings)
  const tokens = criteria === undefined ? [] : await findTokenPage(context, criteria)
  const last = tokens.at(-1)?.token.id
  const hasNext = criteria !== undefined && criteria.names.length === 0 && tokens.length === criteria.limit
  const next =
    hasNext && last !== undefined
      ? nextLink({ path, query, order: criteria.order, columns: [entityIdColumn('token.id', last, settings)] })
      : null
  return { body: listBody('tokens', tokens.map(renderListedToken), next), next }
}
