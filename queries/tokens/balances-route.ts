import { findInstant } from '#queries/balances/find-instant.ts'
import { max } from '#queries/common/bigints.ts'
import { entityIdColumn, numbersOf } from '#queries/common/entity-id-parameter.ts'
import { instantRange } from '#queries/common/instant-range.ts'
import { combineRange, requireEqual } from '#queries/common/integer-range.ts'
import { nextLink } from '#queries/common/links.ts'
import { lastValue, pageSize } from '#queries/common/parameters.ts'
import { type Answer, defineRoute, type QueryRequest } from '#queries/common/route.ts'
import { tokenBalanceListSchema } from '#queries/tokens/body-schema.ts'
import { findHoldersOf, type TokenHolder } from '#queries/tokens/find-holders.ts'
import { tokenBalanceParameters, tokenDetailPath } from '#queries/tokens/params.ts'
import { type HoldingContext, holdingReads } from '#queries/tokens/reads.ts'
import { formatEntityId } from '#src/domain/entity-id.ts'
import { formatLedgerTime, minInt64 } from '#src/domain/ledger-time.ts'

export const tokenBalancesRoute = defineRoute({
  path: '/tokens/:tokenid/balances',
  pathParameters: tokenDetailPath,
  summary: 'List who holds how much of a token, now or at any time',
  tag: 'tokens',
  checksFirst: 'path',
  parameters: tokenBalanceParameters,
  maxAge: 1,
  body: tokenBalanceListSchema,
  answers: [{ reads: holdingReads, answer }],
})

type BalanceRequest = QueryRequest<typeof tokenBalanceParameters, typeof tokenDetailPath>

async function answer(request: BalanceRequest, context: HoldingContext): Promise<Answer> {
  const { rows, checkpoint, settings } = context
  const { path, query, filters, params } = request
  const order = lastValue(filters.order) ?? 'desc'
  const limit = pageSize(filters.limit, settings)
  const accounts = numbersOf(filters['account.id'])
  const range = accounts && requireEqual(combineRange(accounts, minInt64))
  const balance = requireEqual(combineRange(filters['account.balance'], minInt64))
  const found = await findInstant(rows.balances, checkpoint, instantRange(filters.timestamp))
  if (range === undefined || balance === undefined || found === undefined) return { body: bodyOf([], null, null) }
  const { at, changed } = found
  const holders = await findHoldersOf(context, {
    token: params.tokenid,
    accounts: range,
    publicKey: lastValue(filters['account.publickey']),
    balance,
    at,
    order,
    limit,
  })
  const [token] = await rows.tokens.get('tokens', [[params.tokenid]], ['decimals'])
  const decimals = token?.decimals ?? null
  const last = holders.length === limit ? holders.at(-1) : undefined
  const columns = last && [entityIdColumn('account.id', last.account, settings)]
  const next = columns === undefined ? null : nextLink({ path, query, order, columns })
  const bodies = holders.map(
    ({ account, balance }) => `{"account":"${formatEntityId(account)}","balance":${balance},"decimals":${decimals}}`,
  )
  return { body: bodyOf(bodies, holders.length === 0 ? null : (changed ?? newestOf(holders)), next), next }
}

/** Of the present the newest change of what the page shows. */
function newestOf(holders: readonly TokenHolder[]): bigint | null {
  const times = holders.flatMap(({ changed }) => (changed === null ? [] : [changed]))
  return times.length === 0 ? null : times.reduce(max)
}

function bodyOf(balances: readonly string[], timestamp: bigint | null, next: string | null): string {
  const time = timestamp === null ? 'null' : `"${formatLedgerTime(timestamp)}"`
  const link = next === null ? 'null' : JSON.stringify(next)
  return `{"timestamp":${time},"balances":[${balances.join(',')}],"links":{"next":${link}}}`
}
