import { findCount } from '#queries/balances/find-count.ts'
import { latestTime } from '#queries/balances/instant.ts'
import { instantOf, instantParameter } from '#queries/balances/params.ts'
import { holderCount } from '#queries/balances/render.ts'
import { notFound } from '#queries/common/errors.ts'
import { defineRoute } from '#queries/common/route.ts'
import { tokenDetailPath } from '#queries/tokens/params.ts'
import { holdingReads } from '#queries/tokens/reads.ts'

const parameters = { timestamp: instantParameter }

/** An extension: the established service has none. */
export const holderCountRoute = defineRoute({
  path: '/tokens/:tokenid/holders',
  pathParameters: tokenDetailPath,
  summary: 'Count who holds a token, now or at any time (an extension)',
  tag: 'tokens',
  checksFirst: 'path',
  parameters,
  maxAge: 1,
  body: holderCount.schema,
  reads: holdingReads,
  answer: async ({ params: { tokenid: token }, filters }, context) => {
    const at = instantOf(filters.timestamp, context.checkpoint)
    const time = latestTime(at)
    const [known] = await context.rows.tokens.at(time).begun('tokens', [[token]], ['id'])
    if (known === undefined) throw notFound()
    const holders = await findCount(context.rows.balances, token, at)
    return { body: holderCount.render({ holders, time, token }) }
  },
})
