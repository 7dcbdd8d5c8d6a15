import { defineListRoute } from '#queries/common/list-route.ts'
import { objectSchema, text } from '#queries/common/object-schema.ts'
import { bindRange } from '#queries/contract-logs/bind-range.ts'
import { assertSearchable, criteriaOf, positionOf } from '#queries/contract-logs/criteria.ts'
import { findAddressesOf } from '#queries/contract-logs/find-addresses.ts'
import { findBlocksOf } from '#queries/contract-logs/find-blocks.ts'
import { findLogs } from '#queries/contract-logs/find-logs.ts'
import { findNamedLogs } from '#queries/contract-logs/find-named-logs.ts'
import type { FoundLog } from '#queries/contract-logs/log-fields.ts'
import { allParameters, contractParameters, contractPath } from '#queries/contract-logs/params.ts'
import { contractLogReads, type LogContext, logReads } from '#queries/contract-logs/reads.ts'
import { renderLog } from '#queries/contract-logs/render.ts'
import { findPartyId } from '#queries/contracts/find-contract.ts'

const hex = { ...text, example: '0x' }

const logSchema = objectSchema(
  {
    address: { ...hex, description: 'EVM address of the contract or token' },
    block_hash: { ...hex, description: '0x and 96 hex digits; 0x when the block is not known' },
    block_number: { type: 'integer', format: 'int64', nullable: true },
    bloom: { ...hex, description: 'Filter of the log' },
    contract_id: { ...text, nullable: true },
    data: { ...hex, description: 'At least 32 bytes, or 0x' },
    index: { type: 'integer', description: 'Number of the log in its block, from 0' },
    root_contract_id: { ...text, nullable: true, description: 'Contract that the transaction called or created' },
    timestamp: text,
    topics: { type: 'array', items: hex, description: 'Of 32 bytes each' },
    transaction_hash: hex,
    transaction_index: { type: 'integer', nullable: true },
  },
  { title: 'ContractLog' },
)

const ofLogs = {
  tag: 'contracts',
  item: logSchema,
  list: 'logs',
} as const

const allLogsRoute = defineListRoute({
  path: '/contracts/results/logs',
  summary: 'List logs of all contracts, and those made for what tokens do, the newest first',
  ...ofLogs,
  parameters: allParameters,
  maxAge: 10,
  reads: logReads,
  find: async (request, context) => {
    assertSearchable(request.filters)
    const asked = criteriaOf(request, undefined)
    // What names its transaction needs no bounds.
    const isBound = asked.range !== undefined && asked.transactionHash === undefined
    const { range, edge } = isBound
      ? await bindRange(asked.range, asked.order, context)
      : { range: asked.range, edge: undefined }
    return {
      rows: await findNamedLogs({ ...asked, range }, context),
      edge: edge === undefined ? undefined : { timestamp: edge, index: 0n },
      dependsOnClock: context.settings.bindTimestampRange,
    }
  },
  renderAll: (logs, _request, context) => renderLogs(logs, context),
  position: (log, { filters }) => positionOf(log, filters, false),
})

const contractLogsRoute = defineListRoute({
  path: '/contracts/:contractid/results/logs',
  pathParameters: contractPath,
  summary: 'List logs of a contract or token, the newest first',
  ...ofLogs,
  parameters: contractParameters,
  maxAge: 1,
  reads: contractLogReads,
  find: async (request, context) => {
    assertSearchable(request.filters)
    const contractId = await findPartyId(context.rows.entities, request.params.contractid)
    return contractId === undefined ? [] : findLogs(criteriaOf(request, contractId), context)
  },
  renderAll: (logs, _request, context) => renderLogs(logs, context),
  position: (log, { filters }) => positionOf(log, filters, true),
})

async function renderLogs(logs: readonly FoundLog[], context: LogContext): Promise<string[]> {
  const [blockOf, addressOf] = await Promise.all([findBlocksOf(logs, context), findAddressesOf(logs, context)])
  return logs.map((log) => renderLog(log, addressOf(log.contractId), blockOf(log)))
}

export const contractLogRoutes = [allLogsRoute, contractLogsRoute]
