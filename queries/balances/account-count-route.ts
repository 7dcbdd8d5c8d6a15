import { allAccounts, balancesSchema, hbar } from '#projections/balances/schema.ts'
import { accountCountSchema } from '#queries/balances/body-schema.ts'
import { findCount } from '#queries/balances/find-count.ts'
import { latestTime } from '#queries/balances/instant.ts'
import { instantOf, instantParameter } from '#queries/balances/params.ts'
import { type Answer, defineRoute, type QueryContext, type QueryRequest } from '#queries/common/route.ts'
import { formatLedgerTime } from '#src/domain/ledger-time.ts'

const parameters = { timestamp: instantParameter }
const reads = { balances: balancesSchema }

/** An extension: the established service has none. */
export const accountCountRoute = defineRoute({
  path: '/network/accounts',
  summary: 'Count the accounts, and those that hold hbar, now or at any time (an extension)',
  tag: 'network',
  parameters,
  maxAge: 1,
  body: accountCountSchema,
  answers: [{ reads, answer }],
})

async function answer(
  { filters }: QueryRequest<typeof parameters>,
  { rows, checkpoint }: QueryContext<typeof reads>,
): Promise<Answer> {
  const at = instantOf(filters.timestamp, checkpoint)
  const [accounts, holders] = await Promise.all([allAccounts, hbar].map((each) => findCount(rows.balances, each, at)))
  const timestamp = formatLedgerTime(latestTime(at))
  return { body: `{"accounts":${accounts ?? null},"holders":${holders ?? null},"timestamp":"${timestamp}"}` }
}
