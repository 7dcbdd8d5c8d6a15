import { accountSchema } from '#queries/accounts/body-schema.ts'
import { accountCriteria } from '#queries/accounts/criteria.ts'
import { findAccounts } from '#queries/accounts/find-accounts.ts'
import { accountListParameters } from '#queries/accounts/params.ts'
import { accountReads } from '#queries/accounts/reads.ts'
import { renderAccount } from '#queries/accounts/render.ts'
import { defineListRoute } from '#queries/common/list-route.ts'
import { findPendingRewards } from '#queries/staking/find-pending-rewards.ts'

export const accountListRoute = defineListRoute({
  path: '/accounts',
  summary: 'List accounts and contracts by id',
  tag: 'accounts',
  dialect: 'A-exact',
  parameters: accountListParameters,
  maxAge: 10,
  item: accountSchema,
  reads: accountReads,
  list: 'accounts',
  find: async (request, context) => {
    const criteria = accountCriteria(request)
    return criteria === undefined ? [] : findAccounts(criteria, context)
  },
  renderAll: async (listed, _request, { rows, checkpoint }) => {
    const accounts = listed.map(({ account }) => account.id)
    const rewards = await findPendingRewards(rows.staking, { accounts, at: { checkpoint, time: undefined } })
    return listed.map(
      ({ account, balance }, index) =>
        `{${renderAccount(account, { balance, pendingReward: rewards[index]!.pendingReward })}}`,
    )
  },
  position: ({ account }) => ({ 'account.id': account.id }),
})
