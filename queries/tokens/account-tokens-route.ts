import { notFound } from '#queries/common/errors.ts'
import { getAccountId } from '#queries/common/find-entity.ts'
import { firstOf } from '#queries/common/in-steps.ts'
import { defineListRoute } from '#queries/common/list-route.ts'
import type { Filters, Order } from '#queries/common/parameters.ts'
import { refuseExclusions, selectionOf, valuesOf } from '#queries/common/range.ts'
import { findGivenTokens, findHeldTokens, type HeldToken } from '#queries/tokens/find-held-tokens.ts'
import { findRelations } from '#queries/tokens/find-tokens.ts'
import { accountTokenParameters, accountTokensPath } from '#queries/tokens/params.ts'
import { type HoldingContext, holdingReads } from '#queries/tokens/reads.ts'
import { heldToken } from '#queries/tokens/render.ts'
import { minInt64 } from '#src/domain/ledger-time.ts'

export const accountTokensRoute = defineListRoute({
  path: '/accounts/:idOrAliasOrEvmAddress/tokens',
  pathParameters: accountTokensPath,
  summary: 'List the tokens that an account may hold',
  tag: 'accounts',
  checksFirst: 'lookup',
  parameters: accountTokenParameters,
  maxAge: 1,
  item: heldToken.schema,
  reads: holdingReads,
  list: 'tokens',
  find: async (request, context) => {
    const { rows } = context
    const account = await getAccountId(rows.entities, request.params.idOrAliasOrEvmAddress)
    const [entity] = await rows.entities.get('entities', [[account]], ['id'])
    if (entity === undefined) throw notFound()
    const { filters, order, limit } = request
    refuseExclusions(filters['token.id'], 'Not equal (ne) comparison operator is not supported for token.id')
    const held = await findPage(context, account, filters, order, limit)
    const tokens = held.map(({ token }) => token)
    const keys = tokens.map((token) => [token] as const)
    const [found, relations] = await Promise.all([
      rows.tokens.get('tokens', keys, ['decimals', 'freezeStatus', 'kycStatus']),
      findRelations(context, account, tokens),
    ])
    return held.map((each, index) => ({ held: each, token: found[index], relation: relations[index] }))
  },
  render: heldToken.render,
  position: ({ held }) => ({ 'token.id': held.token }),
})

async function findPage(
  context: HoldingContext,
  account: bigint,
  filters: Filters<typeof accountTokenParameters>,
  order: Order,
  limit: number,
): Promise<HeldToken[]> {
  const range = selectionOf(filters['token.id'], minInt64)
  const equal = valuesOf(range, order)
  if (equal !== undefined) return (await findGivenTokens(context, account, equal)).slice(0, limit)
  return firstOf(findHeldTokens(context, account, { ...range, order }, limit), limit)
}
