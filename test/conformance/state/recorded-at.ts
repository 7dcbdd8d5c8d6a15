import { max } from '#queries/common/bigints.ts'
import type { CaseRows } from '#test/conformance/case-file.ts'
import * as read from '#test/conformance/row-values.ts'

/** 2026-04-15T00:00:00Z: the answers were recorded in that month, and cases without a clock are asked at this instant. */
export const anyInstant = 1_776_211_200_000_000_000n

/**
 * When the rows were the state of the service: what holds now holds at this time, and after every snapshot of balances.
 * Of a case's own clock nothing depends, so that cases with the same rows can share a ledger.
 */
export function recordedAt(rows: CaseRows): bigint {
  const snapshots = [...(rows['account_balance'] ?? []), ...(rows['token_balance'] ?? [])]
  return snapshots.map((row) => read.int64(row, 'consensus_timestamp') + 1n).reduce(max, anyInstant)
}
