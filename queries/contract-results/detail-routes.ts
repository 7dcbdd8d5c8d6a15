import { decodeStateChanges } from '#projections/contract-results/packing/lists.ts'
import type { ResultRow } from '#projections/contract-results/schema.ts'
import { invalidParameters, notFound } from '#queries/common/errors.ts'
import { lastValue } from '#queries/common/parameters.ts'
import { type PathParameter, readPath } from '#queries/common/path-parameters.ts'
import { type Answer, defineRoute, type QueryRequest } from '#queries/common/route.ts'
import { resultDetailSchema } from '#queries/contract-results/body-schema.ts'
import { findResult, getResultsAt } from '#queries/contract-results/find-result.ts'
import { findResultLogs, showResultLogs } from '#queries/contract-results/find-result-logs.ts'
import {
  findSyntheticResult,
  findSyntheticResultAt,
  type LoggedResult,
} from '#queries/contract-results/find-synthetic-result.ts'
import {
  assertHbar,
  resultDetailParameters,
  resultPath,
  resultTimePath,
  timedDetailParameters,
} from '#queries/contract-results/params.ts'
import { type ResultContext, resultReads } from '#queries/contract-results/reads.ts'
import { showStateChanges } from '#queries/contract-results/render-state-changes.ts'
import { showResults } from '#queries/contract-results/show-results.ts'
import { findPartyId } from '#queries/contracts/find-contract.ts'
import { contractPath } from '#queries/contracts/params.ts'

const detail = {
  tag: 'contracts',
  dialect: 'A-exact',
  maxAge: 600,
  body: resultDetailSchema,
  statuses: { 206: 'The transaction failed before it was executed: what it would have returned is not known' },
} as const

const namedResultRoute = defineRoute({
  path: '/contracts/results/:transactionIdOrHash',
  pathParameters: resultPath,
  summary: 'Get the contract result of a transaction by its id or hash',
  ...detail,
  parameters: resultDetailParameters,
  answers: [{ reads: resultReads, answer: answerNamed }],
})

async function answerNamed(
  { filters, params, query }: QueryRequest<typeof resultDetailParameters, typeof resultPath>,
  context: ResultContext,
): Promise<Answer> {
  assertHbar(query)
  const key = params.transactionIdOrHash
  const nonce = lastValue(filters.nonce) ?? 0
  const row = await findResult(key, nonce, context)
  const found = row === undefined ? await findSyntheticResult(key, nonce, context) : await withLogs(row, context)
  if (found === undefined) throw notFound()
  return answerResult(found, { contract: undefined, hbar: lastValue(filters.hbar) ?? true }, context)
}

async function withLogs(row: ResultRow, context: ResultContext): Promise<LoggedResult> {
  return { row, logs: await findResultLogs(row.time, context) }
}

/** Read later than others: a wrong hbar is complained about before the path is. */
const unread: PathParameter<string> = { description: '', schema: { type: 'string' }, parse: (text) => text }
const timedPath = {
  contractid: { ...unread, ...described(contractPath) },
  timestamp: { ...unread, ...described(resultTimePath) },
}

function described({
  description,
  schema,
}: PathParameter<unknown>): Pick<PathParameter<unknown>, 'description' | 'schema'> {
  return { description, schema }
}

const timedResultRoute = defineRoute({
  path: '/contracts/:contractid/results/:timestamp',
  pathParameters: timedPath,
  summary: 'Get the result of a contract at a consensus time',
  ...detail,
  checksFirst: 'lookup',
  parameters: timedDetailParameters,
  answers: [{ reads: resultReads, answer: answerTimed }],
})

async function answerTimed(
  request: QueryRequest<typeof timedDetailParameters, typeof timedPath>,
  context: ResultContext,
): Promise<Answer> {
  assertHbar(request.query, { always: true })
  const { values, invalid } = readPath(
    { contractid: contractPath, timestamp: resultTimePath },
    request.params,
    context.settings,
  )
  if (invalid.length > 0) throw invalidParameters(invalid.map((name) => `Invalid parameter: ${name}`))
  const { contractid, timestamp } = values as { contractid: Parameters<typeof findPartyId>[1]; timestamp: bigint }
  const hbar = lastValue(request.filters.hbar) ?? true
  const contract = await findPartyId(context.rows.entities, contractid)
  const found = await findResultAt(timestamp, context)
  if (contract === undefined || found === undefined || !isInvolved(contract, found)) throw notFound()
  return answerResult(found, { contract, hbar }, context)
}

async function findResultAt(time: bigint, context: ResultContext): Promise<LoggedResult | undefined> {
  const [row] = await getResultsAt([time], context)
  return row === undefined ? findSyntheticResultAt(time, context) : withLogs(row, context)
}

/** Whether the contract was called, created or touched, or paid. */
function isInvolved(contract: bigint, { row: { contract: called, payer, stateChanges }, logs }: LoggedResult): boolean {
  return (
    contract === called ||
    contract === payer ||
    logs.some(({ contractId }) => contractId === contract) ||
    decodeStateChanges(stateChanges).some((change) => change.contract === contract)
  )
}

interface Shown {
  /** The contract that the path names. */
  readonly contract: bigint | undefined
  readonly hbar: boolean
}

async function answerResult(
  { row, logs }: LoggedResult,
  { contract, hbar }: Shown,
  context: ResultContext,
): Promise<Answer> {
  const [[members = ''], shownLogs, changes] = await Promise.all([
    showResults([row], { hbar, isDetail: true }, context),
    showResultLogs(logs, context),
    showStateChanges(row, contract, context),
  ])
  const body = `{${members},"logs":[${shownLogs}],"state_changes":[${changes}]}`
  return row.callResult === null ? { body, status: 206 } : { body }
}

export const resultDetailRoutes = [namedResultRoute, timedResultRoute]
