import { findAddressesOf } from '#queries/contract-logs/find-addresses.ts'
import { type FoundLog, logFields } from '#queries/contract-logs/log-fields.ts'
import { renderOwnFields } from '#queries/contract-logs/render.ts'
import type { ResultContext } from '#queries/contract-results/reads.ts'

/** Most logs of one transaction: each takes gas, of which there is not enough for more. */
const logsMax = 100_000

/** The logs that a transaction is shown with, those made for its token transfers included. */
export async function findResultLogs(time: bigint, { rows }: ResultContext): Promise<FoundLog[]> {
  return rows['contract-logs'].find({
    collection: 'logs',
    index: ['consensusTimestamp', 'index'],
    prefix: [time],
    limit: logsMax,
    select: logFields,
  })
}

/** Their texts in an answer of one result. */
export async function showResultLogs(logs: readonly FoundLog[], context: ResultContext): Promise<string[]> {
  const addressOf = await findAddressesOf(logs, context)
  return logs.map((log) => `{${renderOwnFields(log, addressOf(log.contractId))}}`)
}
