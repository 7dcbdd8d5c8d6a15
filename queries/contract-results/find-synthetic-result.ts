import { logKind } from '#projections/contract-logs/schema.ts'
import type { ResultRow } from '#projections/contract-results/schema.ts'
import { findAddressesOf } from '#queries/contract-logs/find-addresses.ts'
import { findLogs } from '#queries/contract-logs/find-logs.ts'
import type { FoundLog } from '#queries/contract-logs/log-fields.ts'
import { bloomOfLog } from '#queries/contract-logs/render.ts'
import { findTimesOfId } from '#queries/contract-results/find-result.ts'
import { findResultLogs } from '#queries/contract-results/find-result-logs.ts'
import type { ResultKey } from '#queries/contract-results/params.ts'
import type { ResultContext } from '#queries/contract-results/reads.ts'
import { syntheticRow } from '#queries/contract-results/synthetic-row.ts'
import { maxInt64, minInt64 } from '#src/domain/ledger-time.ts'
import { uniteBlooms } from '#src/domain/log-bloom.ts'
import { isSuccessCode } from '#src/domain/response-codes.ts'
import { failInvalid } from '#src/events/success.ts'

/** A result with the logs that it is shown with. */
export interface LoggedResult {
  readonly row: ResultRow
  readonly logs: readonly FoundLog[]
}

/**
 * What EVM tools are to see of a transaction that never ran in the EVM, but has logs that were made for what it did with tokens:
 * they find its hash in those, and ask for it. Undefined where no log was made for any transaction of that id or hash.
 */
export async function findSyntheticResult(
  key: ResultKey,
  nonce: number,
  context: ResultContext,
): Promise<LoggedResult | undefined> {
  const times =
    key.kind === 'hash' ? await timesOfLogsHash(key.hash, context) : await findTimesOfId(key, nonce, context)
  const transactions = await context.rows.transactions.get(
    'transactions',
    times.map((time) => [time] as const),
    ['consensusTimestamp', 'result'],
  )
  // Of all that share an id, what did nothing has no logs, and is not looked at.
  const moved = transactions.filter((row) => row && (isSuccessCode(row.result) || row.result === failInvalid))
  for (const row of moved) {
    const found = row && (await findSyntheticResultAt(row.consensusTimestamp, context))
    if (found !== undefined) return found
  }
  return undefined
}

async function timesOfLogsHash(transactionHash: Buffer, context: ResultContext): Promise<bigint[]> {
  const range = { lower: [minInt64], upper: [maxInt64] }
  const asked = {
    contractId: undefined,
    transactionHash: transactionHash.toString('hex'),
    topics: [],
    range,
    kinds: 'all',
    order: 'desc',
    limit: 1,
  } as const
  return (await findLogs(asked, context)).map(({ consensusTimestamp }) => consensusTimestamp)
}

/** Of the transaction of that time, which has no result of its own. */
export async function findSyntheticResultAt(time: bigint, context: ResultContext): Promise<LoggedResult | undefined> {
  const [logs, [transaction]] = await Promise.all([
    findResultLogs(time, context),
    context.rows.transactions.get('transactions', [[time]], ['nonce', 'result']),
  ])
  const leading = logs.find(({ kind }) => kind === logKind.leading) ?? logs[0]
  if (leading === undefined || leading.kind === logKind.recorded || transaction === undefined) return undefined
  const { nonce, result } = transaction
  return { row: syntheticRow(leading, { nonce, result, bloom: await bloomOfLogs(logs, context) }), logs }
}

async function bloomOfLogs(logs: readonly FoundLog[], context: ResultContext): Promise<Uint8Array> {
  const addressOf = await findAddressesOf(logs, context)
  return logs.reduce<Uint8Array>(
    (bloom, log) => uniteBlooms(bloom, bloomOfLog(log, addressOf(log.contractId))),
    new Uint8Array(),
  )
}
