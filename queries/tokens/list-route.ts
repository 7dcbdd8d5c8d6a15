import { defineListRoute } from '#queries/common/list-route.ts'
import { assertNameAlone, tokenCriteria } from '#queries/tokens/criteria.ts'
import { findTokenPage } from '#queries/tokens/find-token-page.ts'
import { tokenListParameters } from '#queries/tokens/params.ts'
import { holdingReads } from '#queries/tokens/reads.ts'
import { listedToken, renderListedToken } from '#queries/tokens/render.ts'

export const tokenListRoute = defineListRoute({
  path: '/tokens',
  summary: 'List tokens by id',
  tag: 'tokens',
  checksFirst: 'lookup',
  parameters: tokenListParameters,
  maxAge: 10,
  item: listedToken,
  reads: holdingReads,
  list: 'tokens',
  find: async (request, context) => {
    assertNameAlone(request.query)
    const criteria = tokenCriteria(request)
    return criteria === undefined ? [] : findTokenPage(context, criteria)
  },
  render: renderListedToken,
  position: ({ token }, { filters }) => (filters.name.length > 0 ? undefined : { 'token.id': token.id }),
})
