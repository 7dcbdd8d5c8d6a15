import { holderCountSchema } from '#queries/balances/body-schema.ts'
import { findCount } from '#queries/balances/find-count.ts'
import { latestTime } from '#queries/balances/instant.ts'
import { instantOf, instantParameter } from '#queries/balances/params.ts'
import { notFound } from '#queries/common/errors.ts'
import { defineRoute } from '#queries/common/route.ts'
import { tokenDetailPath } from '#queries/tokens/params.ts'
import { holdingReads } from '#queries/tokens/reads.ts'
import { formatEntityId } from '#src/domain/entity-id.ts'
import { formatLedgerTime } from '#src/domain/ledger-time.ts'

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
  body: holderCountSchema,
  reads: holdingReads,
  answer: async ({ params: { tokenid: token }, filters }, context) => {
    const at = instantOf(filters.timestamp, context.checkpoint)
    const time = latestTime(at)
    const [known] = await context.rows.tokens.at(time).begun('tokens', [[token]], ['id'])
    if (known === undefined) throw notFound()
    const holders = await findCount(context.rows.balances, token, at)
    return {
      body: `{"holders":${holders ?? null},"timestamp":"${formatLedgerTime(time)}","token_id":"${formatEntityId(token)}"}`,
    }
  },
})
