import { entitiesSchema } from '#projections/entities/schema.ts'
import { stakingSchema } from '#projections/staking/schema.ts'
import { accountPath } from '#queries/common/account-path.ts'
import { invalidParameters, notFound } from '#queries/common/errors.ts'
import { getAccountId } from '#queries/common/find-entity.ts'
import { combineRange } from '#queries/common/integer-range.ts'
import { nextLink } from '#queries/common/links.ts'
import {
  type Filter,
  lastValue,
  limitParameter,
  type Order,
  orderParameter,
  pageSize,
} from '#queries/common/parameters.ts'
import { type Answer, defineRoute, type QueryContext, type QueryRequest } from '#queries/common/route.ts'
import { timestampColumn, timestampParameter } from '#queries/common/timestamp-parameter.ts'
import { rewardListSchema } from '#queries/staking/body-schema.ts'
import { formatEntityId } from '#src/domain/entity-id.ts'
import { formatLedgerTime } from '#src/domain/ledger-time.ts'
import type { RowOf } from '#src/ports/read-store.ts'

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
  const range = combineRange(filters.timestamp)
  const page = { account, lower: range.lower, upper: range.upper, order, limit }
  const rewards = range.equal.length === 0 ? await findBetween(rows, page) : await findAt(rows, range.equal, page)
  const last = rewards.length === limit ? rewards.at(-1) : undefined
  const next = last === undefined ? null : nextLink({ path, query, order, columns: [timestampColumn(last.time)] })
  const id = formatEntityId(account)
  const items = rewards.map(
    ({ amount, time }) => `{"account_id":"${id}","amount":${amount},"timestamp":"${formatLedgerTime(time)}"}`,
  )
  const link = next === null ? 'null' : JSON.stringify(next)
  return { body: `{"rewards":[${items.join(',')}],"links":{"next":${link}}}`, next }
}

interface RewardPage {
  readonly account: bigint
  /** Inclusive, ns. */
  readonly lower: bigint
  readonly upper: bigint
  readonly order: Order
  readonly limit: number
}

type Reward = Pick<RowOf<typeof stakingSchema, 'rewards'>, 'amount' | 'time'>

function findBetween(
  { staking }: QueryContext<typeof reads>['rows'],
  { account, lower, upper, order, limit }: RewardPage,
): Promise<Reward[]> {
  return staking.find({
    collection: 'rewards',
    index: ['account', 'time'],
    prefix: [account],
    lower: { value: lower, inclusive: true },
    upper: { value: upper, inclusive: true },
    descending: order === 'desc',
    limit,
    select: ['amount', 'time'],
  })
}

/** Single times form a set, of which the bounds leave what lies within. */
async function findAt(
  { staking }: QueryContext<typeof reads>['rows'],
  times: readonly bigint[],
  { account, lower, upper, order, limit }: RewardPage,
): Promise<Reward[]> {
  const within = times.filter((time) => time >= lower && time <= upper).sort((a, b) => (a < b ? -1 : 1))
  const keys = (order === 'asc' ? within : within.reverse()).map((time) => [account, time] as const)
  const found = await staking.get('rewards', keys, ['amount', 'time'])
  return found.filter((reward) => reward !== undefined).slice(0, limit)
}

function assertNoExclusion(filters: readonly Filter<bigint>[]): void {
  const excluding = filters.filter(({ operator }) => operator === 'ne')
  if (excluding.length === 0) return
  throw invalidParameters(excluding.map(() => 'Not equals (ne) operator is not supported for timestamp'))
}
