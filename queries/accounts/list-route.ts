import { accountSchema } from '#queries/accounts/body-schema.ts'
import { accountCriteria } from '#queries/accounts/criteria.ts'
import { findAccounts } from '#queries/accounts/find-accounts.ts'
import { accountListParameters } from '#queries/accounts/params.ts'
import { type AccountContext, accountReads } from '#queries/accounts/reads.ts'
import { renderAccount } from '#queries/accounts/render.ts'
import { entityIdColumn } from '#queries/common/entity-id-parameter.ts'
import { nextLink } from '#queries/common/links.ts'
import { linksSchema, objectSchema } from '#queries/common/object-schema.ts'
import { type Answer, defineRoute, type QueryRequest } from '#queries/common/route.ts'
import { findPendingRewards } from '#queries/staking/find-pending-rewards.ts'

export const accountListRoute = defineRoute({
  path: '/accounts',
  summary: 'List accounts and contracts by id',
  tag: 'accounts',
  family: 'A-exact',
  parameters: accountListParameters,
  maxAge: 10,
  body: objectSchema(
    { accounts: { type: 'array', items: accountSchema }, links: linksSchema },
    { title: 'AccountList' },
  ),
  answers: [{ reads: accountReads, answer: answerList }],
})

async function answerList(
  { path, query, filters }: QueryRequest<typeof accountListParameters>,
  context: AccountContext,
): Promise<Answer> {
  const criteria = accountCriteria(filters, context.settings)
  const accounts = criteria === undefined ? [] : await findAccounts(criteria, context)
  const last = accounts.at(-1)?.account.id
  const isFull = criteria !== undefined && accounts.length === criteria.limit && last !== undefined
  const next = isFull
    ? nextLink({
        path,
        query,
        order: criteria.order,
        columns: [entityIdColumn('account.id', last, context.settings)],
      })
    : null
  const rewards = await findPendingRewards(context.rows.staking, {
    accounts: accounts.map(({ account }) => account.id),
    at: { bound: context.checkpoint, time: undefined },
  })
  const bodies = accounts.map(
    ({ account, balance }, index) =>
      `{${renderAccount(account, { balance, pendingReward: rewards[index]!.pendingReward })}}`,
  )
  const links = next === null ? 'null' : JSON.stringify(next)
  return { body: `{"accounts":[${bodies.join(',')}],"links":{"next":${links}}}`, next }
}
