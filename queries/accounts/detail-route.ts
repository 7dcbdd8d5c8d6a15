import { accountSchema } from '#queries/accounts/body-schema.ts'
import { findAccountsNow, versionOfAccount } from '#queries/accounts/found-account.ts'
import { accountDetailParameters } from '#queries/accounts/params.ts'
import { type AccountDetailContext, accountDetailReads, accountFields } from '#queries/accounts/reads.ts'
import { renderAccount, type ShownBalance } from '#queries/accounts/render.ts'
import { timeOfAccount } from '#queries/accounts/time-of-account.ts'
import { findAccountBalances, findHbarBalances, type HbarBalance } from '#queries/balances/find-account-balances.ts'
import { findNewestStatement } from '#queries/balances/find-newest-change.ts'
import type { Instant } from '#queries/balances/instant.ts'
import { accountPath } from '#queries/common/account-path.ts'
import { max } from '#queries/common/bigints.ts'
import { notFound } from '#queries/common/errors.ts'
import { getAccountId } from '#queries/common/find-entity.ts'
import { findVersion } from '#queries/common/find-version.ts'
import { nextLink } from '#queries/common/links.ts'
import { linksSchema, objectSchema } from '#queries/common/object-schema.ts'
import { type Filters, lastValue } from '#queries/common/parameters.ts'
import { type Answer, defineRoute, type QueryRequest } from '#queries/common/route.ts'
import { timestampColumn } from '#queries/common/timestamp-parameter.ts'
import { findPendingRewards } from '#queries/staking/find-pending-rewards.ts'
import { transactionSchema } from '#queries/transactions/body-schema.ts'
import { type FoundPage, findPage } from '#queries/transactions/find-page.ts'

const pathParameters = { idOrAliasOrEvmAddress: accountPath('A') }

type DetailRequest = QueryRequest<typeof accountDetailParameters, typeof pathParameters>

export const accountDetailRoute = defineRoute({
  path: '/accounts/:idOrAliasOrEvmAddress',
  pathParameters,
  summary: 'Get an account or contract with its transactions, now or as it was',
  tag: 'accounts',
  parameters: accountDetailParameters,
  maxAge: 2,
  body: objectSchema(
    {
      ...accountSchema.properties,
      transactions: { type: 'array', items: transactionSchema },
      links: linksSchema,
    },
    { title: 'AccountDetail' },
  ),
  answers: [{ reads: accountDetailReads, answer: answerDetail }],
})

async function answerDetail(request: DetailRequest, context: AccountDetailContext): Promise<Answer> {
  const { rows, checkpoint } = context
  const { timestamp } = request.filters
  const id = await getAccountId(rows.entities, request.params.idOrAliasOrEvmAddress, checkpoint)
  const time = timeOfAccount(timestamp, checkpoint.time)
  if (time === undefined) throw notFound('Timestamp range is empty')
  const at = { bound: checkpoint, time: time.instant }
  const [found, balance, [stake], { page, next, dependsOnClock }] = await Promise.all([
    timestamp.length === 0
      ? findAccountsNow(rows.entities, [id], checkpoint).then(([now]) => now)
      : findVersion(rows.entities, id, time.range, accountFields).then(versionOfAccount),
    balanceOf(id, at, context),
    findPendingRewards(rows.staking, { accounts: [id], at }),
    transactionsOf(id, request, context),
  ])
  if (found === undefined) throw notFound()
  const account = renderAccount(found, { balance, pendingReward: stake!.pendingReward })
  const links = next === null ? 'null' : JSON.stringify(next)
  const body = `{${account},"transactions":[${page.bodies.join(',')}],"links":{"next":${links}}}`
  return { body, next, dependsOnClock }
}

/** Of the past, balances are told with the account's newest change, or the statement that followed it. */
async function balanceOf(id: bigint, at: Instant, context: AccountDetailContext): Promise<ShownBalance> {
  const { rows, settings } = context
  const [[balance], stated] = await Promise.all([
    findAccountBalances(rows.balances, { accounts: [id], at, tokensMax: settings.tokensPerAccount }),
    at.time === undefined ? undefined : findNewestStatement(rows.balances, at),
  ])
  if (at.time === undefined) return balance!
  // As established clients know it, a balance that nothing tells of then is shown as it is now, without tokens.
  if (balance!.balance === null) return { ...(await presentBalance(id, at, context)), tokens: [] }
  return stated === undefined ? balance! : { ...balance!, timestamp: max(stated, balance!.timestamp ?? stated) }
}

async function presentBalance(id: bigint, { bound }: Instant, { rows }: AccountDetailContext): Promise<HbarBalance> {
  const [balance] = await findHbarBalances(rows.balances, [id], { bound, time: undefined })
  return balance!
}

interface AccountTransactions extends Pick<FoundPage, 'page' | 'dependsOnClock'> {
  readonly next: string | null
}

/** What /transactions would list for the account. */
async function transactionsOf(
  id: bigint,
  { path, query, filters }: DetailRequest,
  context: AccountDetailContext,
): Promise<AccountTransactions> {
  if (lastValue(filters.transactions) === false)
    return { page: { times: [], bodies: [] }, next: null, dependsOnClock: false }
  const { page, position, dependsOnClock } = await findPage(transactionFilters(id, filters), context)
  if (position === undefined) return { page, next: null, dependsOnClock }
  const order = lastValue(filters.order) ?? 'desc'
  return { page, next: nextLink({ path, query, order, columns: [timestampColumn(position)] }), dependsOnClock }
}

function transactionFilters(id: bigint, filters: Filters<typeof accountDetailParameters>) {
  const { limit, order, timestamp, transactiontype } = filters
  const account = [{ operator: 'eq', value: { kind: 'id', id } }] as const
  return { 'account.id': account, limit, order, timestamp, transactiontype, 'token.id': [], result: [], type: [] }
}
