import { type ActionRow, contractResultsSchema } from '#projections/contract-results/schema.ts'
import { min } from '#queries/common/bigints.ts'
import { invalidParameter, notFound } from '#queries/common/errors.ts'
import { defineListRoute } from '#queries/common/list-route.ts'
import type { Filter, Filters } from '#queries/common/parameters.ts'
import { readOf, requireEqual, selectionOf } from '#queries/common/range.ts'
import { findResult, findTimesOfId } from '#queries/contract-results/find-result.ts'
import { findSyntheticResult } from '#queries/contract-results/find-synthetic-result.ts'
import { actionParameters, noPlace, type ResultKey, resultPath } from '#queries/contract-results/params.ts'
import { type ResultContext, resultReads } from '#queries/contract-results/reads.ts'
import { actionObject } from '#queries/contract-results/render-action.ts'

const actionFields = Object.keys(contractResultsSchema.collections.actions.fields) as (keyof ActionRow)[]
const maxIndex = 2_147_483_647n

export const actionsRoute = defineListRoute({
  path: '/contracts/results/:transactionIdOrHash/actions',
  pathParameters: resultPath,
  summary: 'List the calls between contracts that a transaction made',
  tag: 'contracts',
  parameters: actionParameters,
  maxAge: 600,
  item: actionObject.schema,
  reads: resultReads,
  list: 'actions',
  find: async ({ params, filters, order, limit }, context) => {
    const time = await timeOf(params.transactionIdOrHash, context)
    if (time === undefined) throw notFound()
    const range = requireEqual(selectionOf(placesOf(filters.index)))
    if (range === undefined) return []
    return context.rows['contract-results'].find({
      collection: 'actions',
      index: ['time', 'index'],
      prefix: [time],
      ...readOf({ lower: Number(range.lower), upper: Number(min(range.upper, maxIndex)) }, order, limit),
      select: actionFields,
    })
  },
  render: actionObject.render,
  position: ({ index }) => ({ index: BigInt(index) }),
})

/** A transaction without a contract result is known all the same, by its id or from its logs: it has no calls. */
async function timeOf(key: ResultKey, context: ResultContext): Promise<bigint | undefined> {
  const result = await findResult(key, 0, context)
  if (result !== undefined) return result.time
  if (key.kind === 'hash') return (await findSyntheticResult(key, 0, context))?.row.time
  return (await findTimesOfId(key, 0, context))[0]
}

function placesOf(filters: Filters<typeof actionParameters>['index']): Filter<bigint>[] {
  return filters.map(({ operator, value }) => {
    if (value === noPlace) throw invalidParameter('index')
    return { operator, value }
  })
}
