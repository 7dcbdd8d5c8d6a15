import {
  type LogDigits,
  packDigits,
  packRecordedBloom,
  packSyntheticBloom,
  type Topics,
} from '#projections/contract-logs/packing/digits.ts'
import { termsOf } from '#projections/contract-logs/packing/terms.ts'
import { type contractLogsSchema, logKind } from '#projections/contract-logs/schema.ts'
import { allSerialsTopic } from '#projections/contract-logs/synthetic-logs.ts'
import type { ContractLogsSnapshotted } from '#schemas/events/types.ts'
import { hexOf } from '#src/domain/bytes.ts'
import { trimmedDigits } from '#src/domain/evm-words.ts'
import { hexDigitsOf } from '#src/domain/hex-digits.ts'
import type { FoldedRows } from '#src/runtime/fold/projection.ts'

type SnapshotLog = ContractLogsSnapshotted['logs'][number]

/** Logs as a statement has them, their places included. */
export function stateLogs(stated: ContractLogsSnapshotted, rows: FoldedRows<typeof contractLogsSchema>): void {
  const { asOf: time, payerAccountId: payer, transactionIndex } = stated
  // Whether the transaction has a result is stated elsewhere.
  const leading = stated.logs.findIndex((log) => log.synthetic && !isOfAll(log))
  stated.logs.forEach((log, number) => {
    const { index, contractId, rootContractId } = log
    const digits = digitsOf(log, stated.transactionHash)
    rows.put('logs', {
      time,
      number,
      consensusTimestamp: time,
      index,
      contractId,
      rootContractId,
      payer,
      digits: packDigits(digits),
      transactionIndex,
      kind: kindOf(log, number === leading),
      blockEnd: null,
    })
    for (const { kind, term } of termsOf({ ...digits, contractId }))
      rows.add('logTerms', { kind, term, time, payload: number })
  })
}

function kindOf(log: SnapshotLog, isLeading: boolean): number {
  if (!log.synthetic) return logKind.recorded
  if (isOfAll(log)) return logKind.ofAll
  return isLeading ? logKind.leading : logKind.made
}

function isOfAll({ topic3 }: SnapshotLog): boolean {
  return topic3 !== null && trimmedDigits(hexOf(topic3)) === allSerialsTopic
}

function digitsOf(
  { topic0, topic1, topic2, topic3, data, bloom }: SnapshotLog,
  transactionHash: Buffer | null,
): LogDigits {
  const own = [topic0, topic1, topic2, topic3] as const
  const [hash = '', dataDigits = '', ...all] = hexDigitsOf([transactionHash, data, ...own])
  const at = (index: 0 | 1 | 2 | 3) => (own[index] === null ? null : trimmedDigits(all[index]!))
  const topics: Topics = [at(0), at(1), at(2), at(3)]
  return {
    transactionHash: transactionHash === null ? null : hash,
    bloom: bloom === null ? packSyntheticBloom(topics) : packRecordedBloom(bloom),
    data: dataDigits,
    topics,
  }
}
