import { findInstant } from '#queries/balances/find-instant.ts'
import { balancesTimeSchema } from '#queries/balances/render.ts'
import { max } from '#queries/common/bigints.ts'
import { defineObject } from '#queries/common/define-object.ts'
import { numbersOf } from '#queries/common/entity-id-parameter.ts'
import { defineListRoute } from '#queries/common/list-route.ts'
import { lastValue } from '#queries/common/parameters.ts'
import { requireEqual, selectionOf } from '#queries/common/range.ts'
import { findHoldersOf, type TokenHolder } from '#queries/tokens/find-holders.ts'
import { tokenBalanceParameters, tokenDetailPath } from '#queries/tokens/params.ts'
import { holdingReads } from '#queries/tokens/reads.ts'
import { amount, entityId } from '#queries/tokens/value-schemas.ts'
import { entityText, timeText } from '#src/domain/json-text.ts'
import { minInt64 } from '#src/domain/ledger-time.ts'

const holderObject = defineObject<TokenHolder & { readonly decimals: bigint | null }>(
  {
    account: [entityId, ({ account }) => entityText(account)],
    balance: [amount, ({ balance }) => balance],
    decimals: [{ ...amount, nullable: true }, ({ decimals }) => decimals],
  },
  { title: 'TokenBalance' },
)

export const tokenBalancesRoute = defineListRoute({
  path: '/tokens/:tokenid/balances',
  pathParameters: tokenDetailPath,
  summary: 'List who holds how much of a token, now or at any time',
  tag: 'tokens',
  checksFirst: 'path',
  parameters: tokenBalanceParameters,
  maxAge: 1,
  item: holderObject.schema,
  members: balancesTimeSchema,
  reads: holdingReads,
  list: 'balances',
  find: async ({ filters, params, order, limit }, context) => {
    const { rows, checkpoint } = context
    const accounts = numbersOf(filters['account.id'])
    const range = accounts && requireEqual(selectionOf(accounts, minInt64))
    const balance = requireEqual(selectionOf(filters['account.balance'], minInt64))
    const found = await findInstant(rows.balances, checkpoint, filters.timestamp)
    if (range === undefined || balance === undefined || found === undefined)
      return { rows: [], head: '"timestamp":null' }
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
    const timestamp = holders.length === 0 ? null : (changed ?? newestOf(holders))
    return { rows: holders, head: `"timestamp":${timeText(timestamp)}` }
  },
  renderAll: async (holders, { params }, { rows }) => {
    const [token] = await rows.tokens.get('tokens', [[params.tokenid]], ['decimals'])
    const decimals = token?.decimals ?? null
    return holders.map((holder) => holderObject.render({ ...holder, decimals }))
  },
  position: ({ account }) => ({ 'account.id': account }),
})

/** Of the present the newest change of what the page shows. */
function newestOf(holders: readonly TokenHolder[]): bigint | null {
  const times = holders.flatMap(({ changed }) => (changed === null ? [] : [changed]))
  return times.length === 0 ? null : times.reduce(max)
}
