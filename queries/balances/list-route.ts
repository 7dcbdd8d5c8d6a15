import { balanceListSchema } from '#queries/balances/body-schema.ts'
import { findBalances, type ListedBalance } from '#queries/balances/find-balances.ts'
import { findInstant } from '#queries/balances/find-instant.ts'
import { balanceParameters, readHolders } from '#queries/balances/params.ts'
import { type BalanceContext, balanceReads } from '#queries/balances/reads.ts'
import { entityIdColumn } from '#queries/common/entity-id-parameter.ts'
import { instantRange } from '#queries/common/instant-range.ts'
import { combineRange } from '#queries/common/integer-range.ts'
import { nextLink } from '#queries/common/links.ts'
import { lastValue, pageSize } from '#queries/common/parameters.ts'
import { type Answer, defineRoute, type QueryRequest } from '#queries/common/route.ts'
import { formatEntityId } from '#src/domain/entity-id.ts'
import { formatLedgerTime } from '#src/domain/ledger-time.ts'

export const balanceListRoute = defineRoute({
  path: '/balances',
  summary: 'List balances of accounts, now or at any time',
  tag: 'balances',
  family: 'A-exact',
  parameters: balanceParameters,
  maxAge: 1,
  body: balanceListSchema,
  answers: [{ reads: balanceReads, answer }],
})

async function answer(
  { path, query, filters }: QueryRequest<typeof balanceParameters>,
  context: BalanceContext,
): Promise<Answer> {
  const { rows, checkpoint, settings } = context
  const holders = readHolders(filters['account.id'])
  const order = lastValue(filters.order) ?? 'desc'
  const limit = pageSize(filters.limit, settings)
  const found = await findInstant(rows.balances, checkpoint, instantRange(filters.timestamp))
  if (found === undefined) return { body: bodyOf([], null, null) }
  const { at, changed } = found
  const { equal, hasLower, hasUpper } = holders.range
  const isOne = equal.length + (holders.name === undefined ? 0 : 1) === 1 && !hasLower && !hasUpper
  const conditions = filters['account.balance']
  const balances = await findBalances(context, {
    holders,
    publicKey: lastValue(filters['account.publickey']),
    balance: conditions.length === 0 ? undefined : combineRange(conditions),
    order,
    at,
    limit,
    tokensMax: isOne ? settings.tokensPerAccount : settings.tokensPerListedAccount,
  })
  const last = balances.length === limit ? balances.at(-1) : undefined
  const columns = last && [entityIdColumn('account.id', last.account, settings)]
  const next = columns === undefined ? null : nextLink({ path, query, order, columns })
  return { body: bodyOf(balances, changed ?? newestOf(balances), next), next }
}

/** Of the present the newest change of what the page shows. */
function newestOf(balances: readonly ListedBalance[]): bigint | null {
  return balances.reduce<bigint | null>(
    (newest, { timestamp }) => (timestamp !== null && (newest === null || timestamp > newest) ? timestamp : newest),
    null,
  )
}

function bodyOf(balances: readonly ListedBalance[], timestamp: bigint | null, next: string | null): string {
  const time = timestamp === null ? 'null' : `"${formatLedgerTime(timestamp)}"`
  const link = next === null ? 'null' : JSON.stringify(next)
  return `{"timestamp":${time},"balances":[${balances.map(render).join(',')}],"links":{"next":${link}}}`
}

function render({ account, balance, tokens }: ListedBalance): string {
  const held = tokens.map(({ token, balance }) => `{"token_id":"${formatEntityId(token)}","balance":${balance}}`)
  return `{"account":"${formatEntityId(account)}","balance":${balance},"tokens":[${held.join(',')}]}`
}
