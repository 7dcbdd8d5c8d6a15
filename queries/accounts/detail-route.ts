import { accountSchema } from '#queries/accounts/body-schema.ts'
import { findAccountsNow, isSyntheticTreasury, versionOfAccount } from '#queries/accounts/found-account.ts'
import { accountDetailParameters } from '#queries/accounts/params.ts'
import { type AccountDetailContext, accountDetailReads, accountFields } from '#queries/accounts/reads.ts'
import { renderAccount, type ShownBalance } from '#queries/accounts/render.ts'
import { findAccountBalances, findHbarBalances, type HbarBalance } from '#queries/balances/find-account-balances.ts'
import { findNewestStatement } from '#queries/balances/find-newest-change.ts'
import type { Instant } from '#queries/balances/instant.ts'
import { accountPath } from '#queries/common/account-path.ts'
import { max, min } from '#queries/common/bigints.ts'
import { notFound } from '#queries/common/errors.ts'
import { getAccountId } from '#queries/common/find-entity.ts'
import { findVersion } from '#queries/common/find-version.ts'
import { defineListRoute, type ListRequest } from '#queries/common/list-route.ts'
import { type Filter, type Filters, lastValue } from '#queries/common/parameters.ts'
import { type Range, type Selection, selectionOf } from '#queries/common/range.ts'
import { findPendingRewards } from '#queries/staking/find-pending-rewards.ts'
import { transactionSchema } from '#queries/transactions/body-schema.ts'
import { findPage } from '#queries/transactions/find-page.ts'

const pathParameters = { idOrAliasOrEvmAddress: accountPath('A') }

type DetailRequest = ListRequest<typeof accountDetailParameters, typeof pathParameters>

export const accountDetailRoute = defineListRoute({
  path: '/accounts/:idOrAliasOrEvmAddress',
  pathParameters,
  summary: 'Get an account or contract with its transactions, now or as it was',
  tag: 'accounts',
  parameters: accountDetailParameters,
  maxAge: 2,
  members: accountSchema.properties,
  item: transactionSchema,
  title: 'AccountDetail',
  reads: accountDetailReads,
  list: 'transactions',
  find: findDetail,
  render: ({ body }) => body,
  position: ({ consensusTimestamp }) => ({ timestamp: consensusTimestamp }),
})

async function findDetail(request: DetailRequest, context: AccountDetailContext) {
  const { rows, checkpoint } = context
  const { timestamp } = request.filters
  const id = await getAccountId(rows.entities, request.params.idOrAliasOrEvmAddress)
  const time = timeOfAccount(timestamp, checkpoint.time)
  if (time === undefined) throw notFound('Timestamp range is empty')
  const at = { checkpoint, time: time.instant }
  const [found, balance, [stake], transactions] = await Promise.all([
    timestamp.length === 0
      ? findAccountsNow(rows.entities, [id]).then(([now]) => now)
      : findVersion(rows.entities, id, time.range, accountFields).then(versionOfAccount),
    balanceOf(id, at, context),
    findPendingRewards(rows.staking, { accounts: [id], at }),
    transactionsOf(id, request, context),
  ])
  if (found === undefined || isSyntheticTreasury(found)) throw notFound()
  return { ...transactions, head: renderAccount(found, { balance, pendingReward: stake!.pendingReward }) }
}

/** Of the past, balances are told with the account's newest change, or the statement that followed it. */
async function balanceOf(id: bigint, at: Instant, context: AccountDetailContext): Promise<ShownBalance> {
  const { rows, settings } = context
  const [[balance], stated] = await Promise.all([
    findAccountBalances(rows.balances, { accounts: [id], at, tokensMax: settings.tokensPerAccount }),
    at.time === undefined ? undefined : findNewestStatement(rows.balances, at),
  ])
  if (at.time === undefined) return balance!
  // As established clients know it, a balance that nothing tells of then is shown as it is now, without tokens, where it was so.
  if (balance!.balance === null) return { ...(await balanceSince(id, at.time, context)), tokens: [] }
  return stated === undefined ? balance! : { ...balance!, timestamp: max(stated, balance!.timestamp ?? stated) }
}

/** The balance as it has been since a time; unknown where it changed afterwards. */
async function balanceSince(
  id: bigint,
  time: bigint,
  { rows, checkpoint }: AccountDetailContext,
): Promise<HbarBalance> {
  const [now] = await findHbarBalances(rows.balances, [id], { checkpoint, time: undefined })
  const { balance, timestamp } = now!
  return timestamp !== null && timestamp <= time ? { balance, timestamp } : { balance: null, timestamp: null }
}

/** What /transactions would list for the account. */
async function transactionsOf(id: bigint, { filters, order, limit }: DetailRequest, context: AccountDetailContext) {
  if (lastValue(filters.transactions) === false) return { rows: [] }
  return findPage({ filters: transactionFilters(id, filters), order, limit }, context)
}

function transactionFilters(id: bigint, filters: Filters<typeof accountDetailParameters>) {
  const { limit, order, timestamp, transactiontype } = filters
  const account = [{ operator: 'eq', value: { kind: 'id', id } }] as const
  return { 'account.id': account, limit, order, timestamp, transactiontype, 'token.id': [], result: [], type: [] }
}

interface AccountTime {
  readonly range: Range & Pick<Selection, 'excluded'>
  /** The instant that balances are told of; undefined: the present. */
  readonly instant: bigint | undefined
}

/**
 * When an account is asked about: a single time is the last one of a range, and several of them count by the earliest.
 * Undefined when nothing is in the range; without any filter it is the present, which `now` bounds.
 */
function timeOfAccount(filters: readonly Filter<bigint>[], now: bigint): AccountTime | undefined {
  const { lower, upper, hasUpper, equal, excluded } = selectionOf(filters)
  if (lower > upper) return undefined
  const single = equal.length === 0 ? undefined : equal.reduce(min)
  const instant = single === undefined ? (hasUpper ? upper : undefined) : min(single, upper)
  return { range: { lower, upper: instant === undefined ? now : min(instant, now), excluded }, instant }
}
