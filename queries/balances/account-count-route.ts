import { allAccounts, balancesSchema, hbar } from '#projections/balances/schema.ts'
import { findCount } from '#queries/balances/find-count.ts'
import { latestTime } from '#queries/balances/instant.ts'
import { instantOf, instantParameter } from '#queries/balances/params.ts'
import { accountCount } from '#queries/balances/render.ts'
import { defineRoute } from '#queries/common/route.ts'

const parameters = { timestamp: instantParameter }
const reads = { balances: balancesSchema }

/** An extension: the established service has none. */
export const accountCountRoute = defineRoute({
  path: '/network/accounts',
  summary: 'Count the accounts, and those that hold hbar, now or at any time (an extension)',
  tag: 'network',
  parameters,
  maxAge: 1,
  body: accountCount.schema,
  reads,
  answer: async ({ filters }, { rows, checkpoint }) => {
    const at = instantOf(filters.timestamp, checkpoint)
    const [accounts, holders] = await Promise.all([allAccounts, hbar].map((each) => findCount(rows.balances, each, at)))
    return { body: accountCount.render({ accounts, holders, time: latestTime(at) }) }
  },
})
