import type { BlockLogs } from '#projections/contract-logs/block-logs.ts'
import { bloomOfMade } from '#projections/contract-logs/made-bloom.ts'
import { type ExecutionRow, type LogRow, logKind, type OpenItemRow } from '#projections/contract-logs/schema.ts'

type AddressOf = Parameters<typeof bloomOfMade>[1]

/** What a block tells of its transactions that have a contract result. */
export function executionsOf(
  items: readonly OpenItemRow[],
  { logs, transactionIndexes }: BlockLogs,
  addressOf: AddressOf,
): ExecutionRow[] {
  const executed = items.filter(({ resultContract }) => resultContract !== null)
  if (executed.length === 0) return []
  const madeByTime = Map.groupBy(logs.filter(isMade), ({ consensusTimestamp }) => consensusTimestamp)
  return executed.map(({ time, place }) => ({
    time,
    transactionIndex: transactionIndexes[place] ?? null,
    bloom: bloomOfMade(madeByTime.get(time) ?? [], addressOf) ?? null,
  }))
}

function isMade({ kind }: LogRow): boolean {
  return kind !== logKind.recorded
}
