import { tokenRowFields } from '#projections/tokens/schema.ts'
import { latestTime } from '#queries/balances/instant.ts'
import { instantOf } from '#queries/balances/params.ts'
import { notFound } from '#queries/common/errors.ts'
import { findVersion } from '#queries/common/find-version.ts'
import { defineRoute } from '#queries/common/route.ts'
import { findBegunFees, findFees } from '#queries/custom-fees/find-fees.ts'
import { findSupply } from '#queries/tokens/find-tokens.ts'
import { tokenDetailParameters, tokenDetailPath } from '#queries/tokens/params.ts'
import { tokenReads } from '#queries/tokens/reads.ts'
import { tokenObject } from '#queries/tokens/render.ts'

export const tokenDetailRoute = defineRoute({
  path: '/tokens/:tokenid',
  pathParameters: tokenDetailPath,
  summary: 'Get a token, now or as it was',
  tag: 'tokens',
  checksFirst: 'path',
  parameters: tokenDetailParameters,
  maxAge: 5,
  body: tokenObject.schema,
  reads: tokenReads,
  answer: async ({ params: { tokenid: id }, filters }, context) => {
    const { rows, checkpoint } = context
    const at = instantOf(filters.timestamp, checkpoint)
    const time = latestTime(at)
    const [[token], entity, supply, fees] = await Promise.all([
      at.time === undefined
        ? rows.tokens.get('tokens', [[id]], tokenRowFields)
        : rows.tokens.at(time).begun('tokens', [[id]], tokenRowFields),
      findVersion(rows.entities, id, { lower: 0n, upper: time, excluded: [] }),
      findSupply(context, id, time),
      at.time === undefined ? findFees(rows.tokens, id) : findBegunFees(rows.tokens.at(time), id),
    ])
    // Of a token without a word on its fees, not even that there are none, established clients see nothing either.
    if (token === undefined || entity === undefined || fees === undefined) throw notFound()
    return { body: tokenObject.render({ token, entity, supply: supply ?? token.initialSupply, fees }) }
  },
})
