import { nextLink } from '#queries/common/links.ts'
import { listBody } from '#queries/common/list-body.ts'
import { lastValue } from '#queries/common/parameters.ts'
import { type Answer, defineRoute, type QueryRequest } from '#queries/common/route.ts'
import { timestampColumn } from '#queries/common/timestamp-parameter.ts'
import { resultListSchema, shortResultListSchema } from '#queries/contract-results/body-schema.ts'
import { resultCriteria } from '#queries/contract-results/criteria.ts'
import { findResults, type ListedResult } from '#queries/contract-results/find-results.ts'
import { assertHbar, resultListParameters } from '#queries/contract-results/params.ts'
import { type ResultContext, resultReads } from '#queries/contract-results/reads.ts'
import { showResults, showShortResults } from '#queries/contract-results/show-results.ts'
import { getContractId } from '#queries/contracts/find-contract.ts'
import { contractPath } from '#queries/contracts/params.ts'
import { bindTimeRange } from '#queries/transactions/bound-window.ts'

type ListRequest = Pick<QueryRequest<typeof resultListParameters>, 'path' | 'query' | 'filters'>

interface FoundPage {
  readonly results: readonly ListedResult[]
  readonly next: string | null
}

const allResultsRoute = defineRoute({
  path: '/contracts/results',
  summary: 'List contract results, the newest first',
  tag: 'contracts',
  checksFirst: 'lookup',
  parameters: resultListParameters,
  maxAge: 10,
  body: resultListSchema,
  statuses: { 404: 'There is no account or contract with an EVM address in from' },
  answers: [{ reads: resultReads, answer: answerAll }],
})

async function answerAll(request: ListRequest, context: ResultContext): Promise<Answer> {
  void request.filters
  assertHbar(request.query)
  const { results, next } = await findPage(request, undefined, context)
  const hbar = lastValue(request.filters.hbar) ?? true
  const bodies = (await showResults(results, { hbar }, context)).map((members) => `{${members}}`)
  const dependsOnClock = context.settings.bindTimestampRange
  return { body: listBody('results', bodies, next), next, dependsOnClock }
}

const pathParameters = { contractid: contractPath }

const contractResultsRoute = defineRoute({
  path: '/contracts/:contractid/results',
  pathParameters,
  summary: 'List the results of a contract, the newest first',
  tag: 'contracts',
  checksFirst: 'lookup',
  parameters: resultListParameters,
  maxAge: 1,
  body: shortResultListSchema,
  statuses: { 404: 'There is no contract with this EVM address' },
  answers: [{ reads: resultReads, answer: answerContract }],
})

async function answerContract(
  request: QueryRequest<typeof resultListParameters, typeof pathParameters>,
  context: ResultContext,
): Promise<Answer> {
  void request.filters
  assertHbar(request.query)
  const contract = await getContractId(context.rows.entities, request.params.contractid, context.checkpoint)
  const { results, next } = await findPage(request, contract, context)
  const bodies = (await showShortResults(results, context)).map((members) => `{${members}}`)
  return { body: listBody('results', bodies, next), next }
}

async function findPage(
  { path, query, filters }: ListRequest,
  contract: bigint | undefined,
  context: ResultContext,
): Promise<FoundPage> {
  const criteria = await resultCriteria(filters, contract, context)
  if (criteria === undefined) return { results: [], next: null }
  const { order, limit } = criteria
  const isBound = contract === undefined && filters['block.hash'].length + filters['block.number'].length === 0
  const { time, edge } = isBound
    ? await bindTimeRange(criteria.time, order, context)
    : { time: criteria.time, edge: undefined }
  const results = await findResults({ ...criteria, time }, context)
  // As established clients see it, nothing leads on from a window without any result.
  const last = results.at(-1)?.time
  const position = results.length === limit || last === undefined ? last : edge
  const next = position === undefined ? null : nextLink({ path, query, order, columns: [timestampColumn(position)] })
  return { results, next }
}

export const resultListRoutes = [allResultsRoute, contractResultsRoute]
