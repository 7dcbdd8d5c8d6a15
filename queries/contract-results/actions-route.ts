import { type ActionRow, contractResultsSchema } from '#projections/contract-results/schema.ts'
import { min } from '#queries/common/bigints.ts'
import { notFound } from '#queries/common/errors.ts'
import { combineRange, requireEqual } from '#queries/common/integer-range.ts'
import { nextLink, type PagingColumn } from '#queries/common/links.ts'
import { listBody } from '#queries/common/list-body.ts'
import { type Filters, lastValue, pageSize } from '#queries/common/parameters.ts'
import { splitOperator } from '#queries/common/parse-query.ts'
import { type Answer, defineRoute, type QueryRequest } from '#queries/common/route.ts'
import { actionListSchema } from '#queries/contract-results/body-schema.ts'
import { findMadeResult } from '#queries/contract-results/find-made-result.ts'
import { findResult, findTimesOfId } from '#queries/contract-results/find-result.ts'
import { actionParameters, type ResultKey, resultPath } from '#queries/contract-results/params.ts'
import { type ResultContext, type ResultDetailContext, resultDetailReads } from '#queries/contract-results/reads.ts'
import { renderAction } from '#queries/contract-results/render-action.ts'

const actionFields = Object.keys(contractResultsSchema.collections.actions.fields) as (keyof ActionRow)[]
const maxIndex = 2_147_483_647n

export const actionsRoute = defineRoute({
  path: '/contracts/results/:transactionIdOrHash/actions',
  pathParameters: resultPath,
  summary: 'List the calls between contracts that a transaction made',
  tag: 'contracts',
  parameters: actionParameters,
  maxAge: 600,
  body: actionListSchema,
  answers: [{ reads: resultDetailReads, answer: answerActions }],
})

async function answerActions(
  { path, query, filters, params }: QueryRequest<typeof actionParameters, typeof resultPath>,
  context: ResultDetailContext,
): Promise<Answer> {
  const time = await timeOf(params.transactionIdOrHash, context)
  if (time === undefined) throw notFound()
  const actions = await findActions(time, filters, context)
  const last = actions.at(-1)
  const isFull = last !== undefined && actions.length === pageSize(filters.limit, context.settings)
  const order = lastValue(filters.order) ?? 'asc'
  const next = isFull ? nextLink({ path, query, order, columns: [indexColumn(last.index)] }) : null
  return { body: listBody('actions', actions.map(renderAction), next), next }
}

/** A transaction without a contract result is known all the same, by its id or from its logs: it has no calls. */
async function timeOf(key: ResultKey, context: ResultDetailContext): Promise<bigint | undefined> {
  const result = await findResult(key, 0, context)
  if (result !== undefined) return result.time
  if (key.kind === 'hash') return (await findMadeResult(key, 0, context))?.row.time
  return (await findTimesOfId(key, 0, context))[0]
}

async function findActions(
  time: bigint,
  filters: Filters<typeof actionParameters>,
  { rows, settings }: ResultContext,
): Promise<ActionRow[]> {
  const range = requireEqual(combineRange(filters.index))
  if (range === undefined) return []
  return rows['contract-results'].find({
    collection: 'actions',
    index: ['time', 'index'],
    prefix: [time],
    lower: { value: Number(range.lower), inclusive: true },
    upper: { value: Number(min(range.upper, maxIndex)), inclusive: true },
    descending: lastValue(filters.order) === 'desc',
    limit: pageSize(filters.limit, settings),
    select: actionFields,
  })
}

function indexColumn(last: number): PagingColumn {
  return {
    name: 'index',
    last: String(last),
    numberOf: (value) => {
      const { text } = splitOperator(value)
      return /^\d+$/.test(text) ? BigInt(text) : undefined
    },
  }
}
