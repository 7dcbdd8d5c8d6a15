import { findBalances, type ListedBalance } from '#queries/balances/find-balances.ts'
import { findInstant } from '#queries/balances/find-instant.ts'
import { balanceParameters, readHolders } from '#queries/balances/params.ts'
import { balanceReads } from '#queries/balances/reads.ts'
import { balanceObject, balancesTimeSchema } from '#queries/balances/render.ts'
import { keyCondition } from '#queries/common/account-parameters.ts'
import { defineListRoute } from '#queries/common/list-route.ts'
import { requireEqual, selectionOf } from '#queries/common/range.ts'
import { timeText } from '#src/domain/json-text.ts'

export const balanceListRoute = defineListRoute({
  path: '/balances',
  summary: 'List balances of accounts, now or at any time',
  tag: 'balances',
  dialect: 'A-exact',
  parameters: balanceParameters,
  maxAge: 1,
  item: balanceObject.schema,
  members: balancesTimeSchema,
  reads: balanceReads,
  list: 'balances',
  find: async ({ filters, order, limit }, context) => {
    const { rows, checkpoint, settings } = context
    const holders = readHolders(filters['account.id'])
    const found = await findInstant(rows.balances, checkpoint, filters.timestamp)
    const conditions = filters['account.balance']
    const balance = requireEqual(selectionOf(conditions))
    if (found === undefined || balance === undefined) return { rows: [], head: '"timestamp":null' }
    const { at, changed } = found
    const { equal, hasLower, hasUpper } = holders.range
    const isOne = equal.length + (holders.name === undefined ? 0 : 1) === 1 && !hasLower && !hasUpper
    const balances = await findBalances(context, {
      holders,
      publicKey: keyCondition(filters['account.publickey']),
      balance: conditions.length === 0 ? undefined : balance,
      order,
      at,
      limit,
      tokensMax: isOne ? settings.tokensPerAccount : settings.tokensPerListedAccount,
    })
    return { rows: balances, head: `"timestamp":${timeText(changed ?? newestOf(balances))}` }
  },
  render: balanceObject.render,
  position: ({ account }) => ({ 'account.id': account }),
})

/** Of the present the newest change of what the page shows. */
function newestOf(balances: readonly ListedBalance[]): bigint | null {
  return balances.reduce<bigint | null>(
    (newest, { timestamp }) => (timestamp !== null && (newest === null || timestamp > newest) ? timestamp : newest),
    null,
  )
}
