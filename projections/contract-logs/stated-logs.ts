import { termsOf } from '#projections/contract-logs/log-postings.ts'
import type { contractLogsSchema } from '#projections/contract-logs/schema.ts'
import type { ContractLogsSnapshotted } from '#schemas/events/types.ts'
import type { FoldedRows } from '#src/runtime/fold/projection.ts'

/** Logs as a statement has them, their places included. */
export function stateLogs(stated: ContractLogsSnapshotted, rows: FoldedRows<typeof contractLogsSchema>): void {
  const { asOf: time, payerAccountId: payer, transactionHash, transactionIndex } = stated
  stated.logs.forEach((log, number) => {
    const { contractId, topic0, topic1, topic2, topic3 } = log
    rows.put('logs', {
      ...log,
      time,
      number,
      consensusTimestamp: time,
      payer,
      transactionHash,
      transactionIndex,
      synthetic: log.synthetic ? 1 : 0,
      blockEnd: null,
    })
    const topics = [topic0, topic1, topic2, topic3] as const
    for (const { kind, term } of termsOf({ contractId, transactionHash, topics }))
      rows.add('logTerms', { kind, term, time, payload: number })
  })
}
