import type { BlockLogs } from '#projections/contract-logs/block-logs.ts'
import { type ExecutionRow, type LogRow, logKind, type OpenItemRow } from '#projections/contract-logs/schema.ts'
import { bloomOfSynthetic } from '#projections/contract-logs/synthetic-bloom.ts'

type AddressOf = Parameters<typeof bloomOfSynthetic>[1]

/** What a block tells of its transactions that have a contract result. */
export function executionsOf(
  items: readonly OpenItemRow[],
  { logs, transactionIndexes }: BlockLogs,
  addressOf: AddressOf,
): ExecutionRow[] {
  const executed = items.filter(({ resultContract }) => resultContract !== null)
  if (executed.length === 0) return []
  const syntheticByTime = Map.groupBy(logs.filter(isSynthetic), ({ consensusTimestamp }) => consensusTimestamp)
  return executed.map(({ time, place }) => ({
    time,
    transactionIndex: transactionIndexes[place] ?? null,
    bloom: bloomOfSynthetic(syntheticByTime.get(time) ?? [], addressOf) ?? null,
  }))
}

function isSynthetic({ kind }: LogRow): boolean {
  return kind !== logKind.recorded
}
