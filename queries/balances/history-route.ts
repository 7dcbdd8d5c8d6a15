import { hbar } from '#projections/balances/schema.ts'
import { type BalanceHistory, findHistory, hbarFlags, tokenFlags } from '#queries/balances/find-history.ts'
import type { StoredSeries } from '#queries/balances/find-point.ts'
import type { BalanceRows } from '#queries/balances/instant.ts'
import { balanceReads } from '#queries/balances/reads.ts'
import { historyObject } from '#queries/balances/render.ts'
import { accountPath } from '#queries/common/account-path.ts'
import { min } from '#queries/common/bigints.ts'
import { parseEntityNumber } from '#queries/common/entity-id-parameter.ts'
import { getAccountId } from '#queries/common/find-entity.ts'
import { lastValue, type Parameter, parseInteger } from '#queries/common/parameters.ts'
import { selectionOf } from '#queries/common/range.ts'
import { defineRoute } from '#queries/common/route.ts'
import { timestampParameter } from '#queries/common/timestamp-parameter.ts'

const pointsDefault = 100n
const pointsMax = 1_000n

const limit: Parameter<bigint> = {
  name: 'limit',
  description: 'Most points; larger values are cut down to the maximum. The last of repeated values counts.',
  schema: { type: 'integer', minimum: 2, maximum: Number(pointsMax), default: Number(pointsDefault) },
  operators: ['eq'],
  repeatable: false,
  parse: (text) => parseInteger(text, 2n, (1n << 63n) - 1n),
}

const token: Parameter<bigint> = {
  name: 'token.id',
  description: 'The balance of this token in place of hbar. The last of repeated values counts.',
  schema: { type: 'string', pattern: '^(eq:)?(\\d{1,4}\\.)?(\\d{1,5}\\.)?\\d{1,12}$' },
  operators: ['eq'],
  repeatable: false,
  parse: parseEntityNumber,
}

const parameters = {
  limit,
  timestamp: {
    ...timestampParameter('Only from this time on, or up to it; now, unless an end is given.'),
    schema: { type: 'string', pattern: '^(gt|gte|lt|lte):\\d{1,10}(\\.\\d{1,9})?$' },
    operators: ['gt', 'gte', 'lt', 'lte'],
  } satisfies Parameter<bigint>,
  'token.id': token,
}
const pathParameters = { idOrAliasOrEvmAddress: accountPath('A') }

/** An extension: the established service has none. */
export const historyRoute = defineRoute({
  path: '/accounts/:idOrAliasOrEvmAddress/balances',
  pathParameters,
  summary: 'Show the balance of an account over time, as a plot needs it (an extension)',
  tag: 'balances',
  checksFirst: 'lookup',
  parameters,
  maxAge: 1,
  body: historyObject.schema,
  reads: balanceReads,
  answer: async (request, { rows, checkpoint, pause }) => {
    const account = await getAccountId(rows.entities, request.params.idOrAliasOrEvmAddress)
    const { filters } = request
    const { lower, upper, hasLower } = selectionOf(filters.timestamp)
    const window = { from: hasLower ? lower : undefined, to: min(upper, checkpoint.time) }
    const token = lastValue(filters['token.id']) ?? hbar
    const series = await findSeries(rows.balances, account, token)
    const isEmpty = series === undefined || (window.from ?? 0n) > window.to
    const most = Number(min(lastValue(filters.limit) ?? pointsDefault, pointsMax))
    const flags = token === hbar ? hbarFlags : tokenFlags
    const history = isEmpty
      ? nothing
      : await findHistory(rows.balances, { series, flags, window, most, checkpoint, pause })
    return { body: historyObject.render({ account, token, ...history }) }
  },
})

const nothing: BalanceHistory = { isWhole: true, points: [] }
const seriesFields = ['from', 'segment', 'chunks', 'points', 'tail'] as const

async function findSeries(rows: BalanceRows, account: bigint, token: bigint): Promise<StoredSeries | undefined> {
  const [row] =
    token === hbar
      ? await rows.get('balances', [[account]], seriesFields)
      : await rows.get('tokenBalances', [[account, token]], seriesFields)
  return row && { ...row, account, token }
}
