import { nextLink } from '#queries/common/links.ts'
import { listBody } from '#queries/common/list-body.ts'
import type { Parameters } from '#queries/common/parameters.ts'
import type { PathParameters } from '#queries/common/path-parameters.ts'
import type { Answer, NoParameters, QueryRequest } from '#queries/common/route.ts'
import { defineRoute } from '#queries/common/route.ts'
import { timestampColumn } from '#queries/common/timestamp-parameter.ts'
import { logListSchema } from '#queries/contract-logs/body-schema.ts'
import { bindRange } from '#queries/contract-logs/bound-range.ts'
import { assertSearchable, criteriaOf, type LogCriteria } from '#queries/contract-logs/criteria.ts'
import { findAddressesOf } from '#queries/contract-logs/find-addresses.ts'
import { findBlocksOf } from '#queries/contract-logs/find-blocks.ts'
import { findLogs } from '#queries/contract-logs/find-logs.ts'
import { findNamedLogs } from '#queries/contract-logs/find-named-logs.ts'
import type { FoundLog } from '#queries/contract-logs/log-fields.ts'
import { allParameters, contractParameters, contractPath, indexColumn } from '#queries/contract-logs/params.ts'
import { type ContractLogContext, contractLogReads, type LogContext, logReads } from '#queries/contract-logs/reads.ts'
import { renderLog } from '#queries/contract-logs/render.ts'
import { getContractId } from '#queries/contracts/find-contract.ts'

const allLogsRoute = defineRoute({
  path: '/contracts/results/logs',
  summary: 'List logs of all contracts, and those made for what tokens do, the newest first',
  tag: 'contracts',
  parameters: allParameters,
  maxAge: 10,
  body: logListSchema,
  answers: [{ reads: logReads, answer: answerAll }],
})

async function answerAll(request: QueryRequest<typeof allParameters>, context: LogContext): Promise<Answer> {
  const { filters, query } = request
  assertSearchable(filters)
  const asked = criteriaOf(filters, query, undefined, context.settings)
  // What names its transaction needs no bounds.
  const isBound = asked.range !== undefined && asked.transactionHash === undefined
  const { range, edge } = isBound
    ? await bindRange(asked.range, asked.order, context)
    : { range: asked.range, edge: undefined }
  const criteria = { ...asked, range }
  const logs = await findNamedLogs(criteria, context)
  return {
    ...(await answerOf(request, criteria, logs, edge, context)),
    dependsOnClock: context.settings.bindTimestampRange,
  }
}

const contractLogsRoute = defineRoute({
  path: '/contracts/:contractid/results/logs',
  pathParameters: contractPath,
  summary: 'List logs of a contract or token, the newest first',
  tag: 'contracts',
  parameters: contractParameters,
  maxAge: 1,
  body: logListSchema,
  statuses: { 404: 'There is no contract with this EVM address' },
  answers: [{ reads: contractLogReads, answer: answerContract }],
})

async function answerContract(
  request: QueryRequest<typeof contractParameters, typeof contractPath>,
  context: ContractLogContext,
): Promise<Answer> {
  const { filters, query, params } = request
  assertSearchable(filters)
  const contractId = await getContractId(context.rows.entities, params.contractid, context.checkpoint)
  const criteria = criteriaOf(filters, query, contractId, context.settings)
  return answerOf(request, criteria, await findLogs(criteria, context), undefined, context)
}

type Request = Pick<QueryRequest<Parameters, PathParameters | NoParameters>, 'path' | 'query'>

/** `edge`: where a search that was cut short goes on. */
async function answerOf(
  { path, query }: Request,
  { order, limit }: LogCriteria,
  logs: readonly FoundLog[],
  edge: bigint | undefined,
  context: LogContext,
): Promise<Answer> {
  const [blockOf, addressOf] = await Promise.all([findBlocksOf(logs, context), findAddressesOf(logs, context)])
  const bodies = logs.map((log) => renderLog(log, addressOf(log.contractId), blockOf(log)))
  const last = logs.length === limit ? logs.at(-1) : undefined
  const time = last?.consensusTimestamp ?? edge
  const columns = time === undefined ? [] : [timestampColumn(time), indexColumn(BigInt(last?.index ?? 0))]
  const next = time === undefined ? null : nextLink({ path, query, order, columns })
  return { body: listBody('logs', bodies, next), next }
}

export const contractLogRoutes = [allLogsRoute, contractLogsRoute]
