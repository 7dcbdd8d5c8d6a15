import { entityIdColumn } from '#queries/common/entity-id-parameter.ts'
import { invalidParameters, notFound } from '#queries/common/errors.ts'
import { getAccountId } from '#queries/common/find-entity.ts'
import { combineRange } from '#queries/common/integer-range.ts'
import { nextLink } from '#queries/common/links.ts'
import { listBody } from '#queries/common/list-body.ts'
import { type Filters, lastValue, type Order, pageSize } from '#queries/common/parameters.ts'
import { type Answer, defineRoute, type QueryRequest } from '#queries/common/route.ts'
import { sorted } from '#queries/common/selection.ts'
import { heldTokenListSchema } from '#queries/tokens/body-schema.ts'
import { findGivenTokens, findHeldTokens, type HeldToken } from '#queries/tokens/find-held-tokens.ts'
import { findRelations } from '#queries/tokens/find-tokens.ts'
import { accountTokenParameters, accountTokensPath } from '#queries/tokens/params.ts'
import { type HoldingContext, holdingReads } from '#queries/tokens/reads.ts'
import { renderHeldToken } from '#queries/tokens/render.ts'
import { minInt64 } from '#src/domain/ledger-time.ts'

export const accountTokensRoute = defineRoute({
  path: '/accounts/:idOrAliasOrEvmAddress/tokens',
  pathParameters: accountTokensPath,
  summary: 'List the tokens that an account may hold',
  tag: 'accounts',
  checksFirst: 'lookup',
  parameters: accountTokenParameters,
  maxAge: 1,
  body: heldTokenListSchema,
  answers: [{ reads: holdingReads, answer }],
})

async function answer(
  request: QueryRequest<typeof accountTokenParameters, typeof accountTokensPath>,
  context: HoldingContext,
): Promise<Answer> {
  const { rows, checkpoint, settings } = context
  const account = await getAccountId(rows.entities, request.params.idOrAliasOrEvmAddress, checkpoint)
  const [entity] = await rows.entities.get('entities', [[account]], ['id'])
  if (entity === undefined) throw notFound()
  const { filters, path, query } = request
  assertNoExclusion(filters)
  const order = lastValue(filters.order) ?? 'asc'
  const limit = pageSize(filters.limit, settings)
  const held = await findPage(context, account, filters, order, limit)
  const tokens = held.map(({ token }) => token)
  const keys = tokens.map((token) => [token] as const)
  const [found, relations] = await Promise.all([
    rows.tokens.get('tokens', keys, ['decimals', 'freezeStatus', 'kycStatus']),
    findRelations(context, account, tokens),
  ])
  const bodies = held.map((each, index) => renderHeldToken(each, found[index], relations[index]))
  const last = held.length === limit ? held.at(-1) : undefined
  const columns = last && [entityIdColumn('token.id', last.token, settings)]
  const next = columns === undefined ? null : nextLink({ path, query, order, columns })
  return { body: listBody('tokens', bodies, next), next }
}

function assertNoExclusion({ 'token.id': given }: Filters<typeof accountTokenParameters>): void {
  const excluding = given.filter(({ operator }) => operator === 'ne')
  if (excluding.length === 0) return
  throw invalidParameters(excluding.map(() => 'Not equal (ne) comparison operator is not supported for token.id'))
}

async function findPage(
  context: HoldingContext,
  account: bigint,
  filters: Filters<typeof accountTokenParameters>,
  order: Order,
  limit: number,
): Promise<HeldToken[]> {
  const { lower, upper, equal } = combineRange(filters['token.id'], minInt64)
  if (equal.length > 0) {
    const wanted = equal.filter((token) => token >= lower && token <= upper)
    return (await findGivenTokens(context, account, sorted(wanted, order))).slice(0, limit)
  }
  const page: HeldToken[] = []
  for await (const step of findHeldTokens(context, account, { lower, upper, order }, limit)) {
    page.push(...step)
    if (page.length >= limit) break
  }
  return page.slice(0, limit)
}
