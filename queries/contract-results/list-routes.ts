import { defineListRoute, type ListRequest } from '#queries/common/list-route.ts'
import { lastValue } from '#queries/common/parameters.ts'
import { resultSchema, shortResultSchema } from '#queries/contract-results/body-schema.ts'
import { resultCriteria } from '#queries/contract-results/criteria.ts'
import { findResults, type ListedResult } from '#queries/contract-results/find-results.ts'
import { assertHbar, resultListParameters } from '#queries/contract-results/params.ts'
import { type ResultContext, resultReads } from '#queries/contract-results/reads.ts'
import { showResults, showShortResults } from '#queries/contract-results/show-results.ts'
import { findPartyId } from '#queries/contracts/find-contract.ts'
import { contractPath } from '#queries/contracts/params.ts'
import { bindTimeRange } from '#queries/transactions/bind-time-range.ts'

const ofResults = {
  tag: 'contracts',
  checksFirst: 'lookup',
  parameters: resultListParameters,
  reads: resultReads,
  list: 'results',
  position: ({ time }: ListedResult) => ({ timestamp: time }),
} as const

const allResultsRoute = defineListRoute({
  path: '/contracts/results',
  summary: 'List contract results, the newest first',
  ...ofResults,
  maxAge: 10,
  item: resultSchema,
  statuses: { 404: 'There is no account or contract with an EVM address in from' },
  find: async (request, context) => {
    void request.filters
    assertHbar(request.query)
    const dependsOnClock = context.settings.bindTimestampRange
    return { ...(await findPage(request, undefined, context)), dependsOnClock }
  },
  renderAll: async (results, { filters }, context) => {
    const hbar = lastValue(filters.hbar) ?? true
    return (await showResults(results, { hbar }, context)).map((members) => `{${members}}`)
  },
})

const contractResultsRoute = defineListRoute({
  path: '/contracts/:contractid/results',
  pathParameters: { contractid: contractPath },
  summary: 'List the results of a contract, the newest first',
  ...ofResults,
  maxAge: 1,
  item: shortResultSchema,
  find: async (request, context) => {
    void request.filters
    assertHbar(request.query)
    const contract = await findPartyId(context.rows.entities, request.params.contractid)
    return contract === undefined ? [] : findPage(request, contract, context)
  },
  renderAll: async (results, _request, context) =>
    (await showShortResults(results, context)).map((members) => `{${members}}`),
})

async function findPage(
  request: Pick<ListRequest<typeof resultListParameters>, 'filters' | 'order' | 'limit'>,
  contract: bigint | undefined,
  context: ResultContext,
) {
  const criteria = await resultCriteria(request, contract, context)
  if (criteria === undefined) return { rows: [] }
  const { filters, order } = request
  const isBound = contract === undefined && filters['block.hash'].length + filters['block.number'].length === 0
  const { time, edge } = isBound
    ? await bindTimeRange(criteria.time, order, context)
    : { time: criteria.time, edge: undefined }
  const rows = await findResults({ ...criteria, time }, context)
  // As established clients see it, nothing leads on from a window without any result.
  return { rows, edge: edge === undefined || rows.length === 0 ? undefined : { timestamp: edge } }
}

export const resultListRoutes = [allResultsRoute, contractResultsRoute]
