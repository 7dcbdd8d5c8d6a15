import type { AllowanceRow } from '#projections/nfts/schema.ts'
import { defineObject } from '#queries/common/define-object.ts'
import { notFound } from '#queries/common/errors.ts'
import { findAccount } from '#queries/common/find-entity.ts'
import { defineListRoute } from '#queries/common/list-route.ts'
import { objectSchema, text } from '#queries/common/object-schema.ts'
import { type Filters, lastValue } from '#queries/common/parameters.ts'
import { allowanceParameters, allowancePath, selectPairsOfB } from '#queries/nfts/allowance-params.ts'
import { findAllowances } from '#queries/nfts/find-allowances.ts'
import { nftReads } from '#queries/nfts/reads.ts'
import { entityText, sinceText } from '#src/domain/json-text.ts'

const timestamp = { ...text, description: 'Seconds and nanoseconds' }

const allowanceObject = defineObject<AllowanceRow>(
  {
    approved_for_all: [{ type: 'boolean' }, ({ approved }) => approved === 1],
    owner: [text, ({ owner }) => entityText(owner)],
    spender: [text, ({ spender }) => entityText(spender)],
    timestamp: [objectSchema({ from: timestamp, to: { ...timestamp, nullable: true } }), ({ from }) => sinceText(from)],
    token_id: [text, ({ token }) => entityText(token)],
  },
  { title: 'NftAllowance' },
)

export const nftAllowancesRoute = defineListRoute({
  path: '/accounts/:id/allowances/nfts',
  pathParameters: allowancePath,
  summary: 'List the approvals for all NFTs of a token that an account gave, or was given',
  tag: 'accounts',
  dialect: 'B',
  parameters: allowanceParameters,
  maxAge: 1,
  item: allowanceObject.schema,
  statuses: { 404: 'There is no account with this alias or EVM address' },
  reads: nftReads,
  list: 'allowances',
  find: async ({ params, filters, order, limit }, context) => {
    const selection = selectPairsOfB(
      { name: 'account.id', filters: filters['account.id'] },
      { name: 'token.id', filters: filters['token.id'] },
    )
    const account = await findAccount(context.rows.nfts, params.id)
    if (account === undefined) throw notFound('No account found for the given ID')
    return findAllowances({ account, isOwner: isOwner(filters), selection, order, limit }, context)
  },
  render: allowanceObject.render,
  position: ({ owner, spender, token }, { filters }) => ({
    'account.id': isOwner(filters) ? spender : owner,
    'token.id': token,
  }),
})

function isOwner({ owner }: Filters<typeof allowanceParameters>): boolean {
  return lastValue(owner) ?? true
}
