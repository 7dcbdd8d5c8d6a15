import { entitiesSchema } from '#projections/entities/schema.ts'
import { stakingSchema } from '#projections/staking/schema.ts'
import { accountPath } from '#queries/common/account-path.ts'
import { min } from '#queries/common/bigints.ts'
import { invalidParameters, notFound } from '#queries/common/errors.ts'
import { getAccountId } from '#queries/common/find-entity.ts'
import { combineRange, requireEqual } from '#queries/common/integer-range.ts'
import { nextLink } from '#queries/common/links.ts'
import { type Filter, lastValue, limitParameter, orderParameter, pageSize } from '#queries/common/parameters.ts'
import { type Answer, defineRoute, type QueryContext, type QueryRequest } from '#queries/common/route.ts'
import { timestampColumn, timestampParameter } from '#queries/common/timestamp-parameter.ts'
import { rewardListSchema } from '#queries/staking/body-schema.ts'
import { formatEntityId } from '#src/domain/entity-id.ts'
import { formatLedgerTime } from '#src/domain/ledger-time.ts'

const reads = { entities: entitiesSchema, staking: stakingSchema }
const parameters = {
  limit: limitParameter(),
  order: orderParameter('desc'),
  timestamp: timestampParameter('Only rewards whose consensus time compares so.'),
}
const pathParameters = { idOrAliasOrEvmAddress: accountPath('A') }

export const rewardsRoute = defineRoute({
  path: '/accounts/:idOrAliasOrEvmAddress/rewards',
  pathParameters,
  summary: 'List the staking rewards that an account was paid',
  tag: 'accounts',
  checksFirst: 'lookup',
  parameters,
  maxAge: 60,
  body: rewardListSchema,
  answers: [{ reads, answer }],
})

async function answer(
  request: QueryRequest<typeof parameters, typeof pathParameters>,
  { rows, checkpoint, settings }: QueryContext<typeof reads>,
): Promise<Answer> {
  const account = await getAccountId(rows.entities, request.params.idOrAliasOrEvmAddress, checkpoint)
  const [entity] = await rows.entities.get('entities', [[account]], ['id'])
  if (entity === undefined) throw notFound()
  const { filters, path, query } = request
  assertNoExclusion(filters.timestamp)
  const order = lastValue(filters.order) ?? 'desc'
  const limit = pageSize(filters.limit, settings)
  const range = requireEqual(combineRange(filters.timestamp))
  const rewards =
    range === undefined
      ? []
      : await rows.staking.find({
          collection: 'rewards',
          index: ['account', 'time'],
          prefix: [account],
          lower: { value: range.lower, inclusive: true },
          upper: { value: min(range.upper, checkpoint.time), inclusive: true },
          descending: order === 'desc',
          limit,
          select: ['amount', 'time'],
        })
  const last = rewards.length === limit ? rewards.at(-1) : undefined
  const next = last === undefined ? null : nextLink({ path, query, order, columns: [timestampColumn(last.time)] })
  const id = formatEntityId(account)
  const items = rewards.map(
    ({ amount, time }) => `{"account_id":"${id}","amount":${amount},"timestamp":"${formatLedgerTime(time)}"}`,
  )
  const link = next === null ? 'null' : JSON.stringify(next)
  return { body: `{"rewards":[${items.join(',')}],"links":{"next":${link}}}`, next }
}

function assertNoExclusion(filters: readonly Filter<bigint>[]): void {
  const excluding = filters.filter(({ operator }) => operator === 'ne')
  if (excluding.length === 0) return
  throw invalidParameters(excluding.map(() => 'Not equals (ne) operator is not supported for timestamp'))
}
