import type { AllowanceRow } from '#projections/nfts/schema.ts'
import { nextBoundLink } from '#queries/common/bound-links.ts'
import { entityIdColumn } from '#queries/common/entity-id-parameter.ts'
import { notFound } from '#queries/common/errors.ts'
import { findAccount } from '#queries/common/find-entity.ts'
import { listBody } from '#queries/common/list-body.ts'
import { lastValue } from '#queries/common/parameters.ts'
import { type Answer, defineRoute, type QueryRequest } from '#queries/common/route.ts'
import { allowanceParameters, allowancePath, pageDefault, selectBoundPairs } from '#queries/nfts/allowance-params.ts'
import { nftAllowanceListSchema } from '#queries/nfts/body-schema.ts'
import { findAllowances } from '#queries/nfts/find-allowances.ts'
import { type NftContext, nftReads } from '#queries/nfts/reads.ts'
import { formatEntityId } from '#src/domain/entity-id.ts'
import { formatLedgerTime } from '#src/domain/ledger-time.ts'

export const nftAllowancesRoute = defineRoute({
  path: '/accounts/:id/allowances/nfts',
  pathParameters: allowancePath,
  summary: 'List the approvals for all NFTs of a token that an account gave, or was given',
  tag: 'accounts',
  family: 'B',
  parameters: allowanceParameters,
  isNewest: true,
  maxAge: 1,
  body: nftAllowanceListSchema,
  statuses: { 404: 'There is no account with this alias or EVM address' },
  answers: [{ reads: nftReads, answer }],
})

async function answer(
  { params, path, query, filters }: QueryRequest<typeof allowanceParameters, typeof allowancePath>,
  context: NftContext,
): Promise<Answer> {
  const { rows, checkpoint, settings } = context
  const selection = selectBoundPairs(
    { name: 'account.id', filters: filters['account.id'] },
    { name: 'token.id', filters: filters['token.id'] },
  )
  const account = await findAccount(rows.nfts, params.id, checkpoint)
  if (account === undefined) throw notFound('No account found for the given ID')
  const isOwner = lastValue(filters.owner) ?? true
  const order = lastValue(filters.order) ?? 'asc'
  const limit = lastValue(filters.limit) ?? pageDefault
  const allowances = await findAllowances({ account, isOwner, selection, order, limit }, context)
  const last = allowances.length >= limit ? allowances.at(-1) : undefined
  const columns = last
    ? [
        entityIdColumn('account.id', isOwner ? last.spender : last.owner, settings),
        entityIdColumn('token.id', last.token, settings),
      ]
    : []
  const next = last ? nextBoundLink({ path, query, order, columns }) : null
  return { body: listBody('allowances', allowances.map(renderAllowance), next), next }
}

function renderAllowance({ owner, spender, token, from, approved }: AllowanceRow): string {
  return (
    `{"approved_for_all":${approved === 1},"owner":"${formatEntityId(owner)}","spender":"${formatEntityId(spender)}",` +
    `"timestamp":{"from":"${formatLedgerTime(from)}","to":null},"token_id":"${formatEntityId(token)}"}`
  )
}
