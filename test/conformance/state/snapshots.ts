import type { CaseRow, CaseRows } from '#test/conformance/case-file.ts'
import * as read from '#test/conformance/row-values.ts'

/** A snapshot exists when this account has a row at its time. */
const markerAccount = '2'

/** Rows of balances in the order of time, each with the time of the first snapshot that it is part of; none has those after the last. */
export function snapshotRows(rows: CaseRows, table: 'account_balance' | 'token_balance'): readonly CaseRow[] {
  const markers = inOrder((rows['account_balance'] ?? []).filter(({ account_id }) => account_id === markerAccount))
  return inOrder(rows[table] ?? []).flatMap((row) => {
    const marker = markers.find((each) => timeOf(each) >= timeOf(row))
    return marker === undefined ? [] : [{ ...row, consensus_timestamp: marker['consensus_timestamp'] }]
  })
}

function inOrder(rows: readonly CaseRow[]): CaseRow[] {
  return rows.toSorted((a, b) => (timeOf(a) < timeOf(b) ? -1 : 1))
}

function timeOf(row: CaseRow): bigint {
  return read.int64(row, 'consensus_timestamp')
}
