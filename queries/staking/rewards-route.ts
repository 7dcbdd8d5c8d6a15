import { entitiesSchema } from '#projections/entities/schema.ts'
import { stakingSchema } from '#projections/staking/schema.ts'
import { accountPath } from '#queries/common/account-path.ts'
import { defineObject } from '#queries/common/define-object.ts'
import { notFound } from '#queries/common/errors.ts'
import { getAccountId } from '#queries/common/find-entity.ts'
import { defineListRoute } from '#queries/common/list-route.ts'
import { int64, text } from '#queries/common/object-schema.ts'
import { limitParameter, orderParameter } from '#queries/common/parameters.ts'
import { readOf, refuseExclusions, selectionOf, valuesOf } from '#queries/common/range.ts'
import { timestampParameter } from '#queries/common/timestamp-parameter.ts'
import { entityText, timeText } from '#src/domain/json-text.ts'

const reads = { entities: entitiesSchema, staking: stakingSchema }
const parameters = {
  limit: limitParameter(),
  order: orderParameter('desc'),
  timestamp: timestampParameter('Only rewards whose consensus time compares so.'),
}
const pathParameters = { idOrAliasOrEvmAddress: accountPath('A') }

const rewardObject = defineObject<{ readonly account: bigint; readonly amount: bigint; readonly time: bigint }>(
  {
    account_id: [text, ({ account }) => entityText(account)],
    amount: [{ ...int64, description: 'tinybar' }, ({ amount }) => amount],
    timestamp: [text, ({ time }) => timeText(time)],
  },
  { title: 'Reward' },
)

export const rewardsRoute = defineListRoute({
  path: '/accounts/:idOrAliasOrEvmAddress/rewards',
  pathParameters,
  summary: 'List the staking rewards that an account was paid',
  tag: 'accounts',
  checksFirst: 'lookup',
  parameters,
  maxAge: 60,
  item: rewardObject.schema,
  reads,
  list: 'rewards',
  columns: ['account', 'amount', 'time'],
  find: async (request, { rows }) => {
    const account = await getAccountId(rows.entities, request.params.idOrAliasOrEvmAddress)
    const [entity] = await rows.entities.get('entities', [[account]], ['id'])
    if (entity === undefined) throw notFound()
    const { filters, order, limit, columns } = request
    refuseExclusions(filters.timestamp, 'Not equals (ne) operator is not supported for timestamp')
    const times = selectionOf(filters.timestamp)
    const equal = valuesOf(times, order)
    if (equal !== undefined) {
      const keys = equal.map((time) => [account, time] as const)
      const found = await rows.staking.get('rewards', keys, columns)
      return found.filter((reward) => reward !== undefined).slice(0, limit)
    }
    return rows.staking.find({
      collection: 'rewards',
      index: ['account', 'time'],
      prefix: [account],
      ...readOf(times, order, limit),
      select: columns,
    })
  },
  render: rewardObject.render,
  position: ({ time }) => ({ timestamp: time }),
})
