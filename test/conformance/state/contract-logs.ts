import type { CaseRow, CaseRows } from '#test/conformance/case-file.ts'
import * as read from '#test/conformance/row-values.ts'
import { type Statement, statement } from '#test/conformance/state/statement.ts'

/** Table `contract_log`: one statement for all that is shown with one transaction. */
export function contractLogStatements(rows: CaseRows): Statement[] {
  const byTime = Map.groupBy(rows['contract_log'] ?? [], (row) => read.int64(row, 'consensus_timestamp'))
  return [...byTime].map(([time, logs]) => logsStatement(time, logs))
}

function logsStatement(asOf: bigint, rows: readonly CaseRow[]): Statement {
  const [row = {}] = rows
  return statement('ContractLogsSnapshotted', 'contract-logs', {
    asOf,
    payerAccountId: read.int64(row, 'payer_account_id'),
    transactionHash: read.bytesOrNull(row, 'transaction_hash'),
    transactionIndex: read.int32OrNull(row, 'transaction_index'),
    logs: rows.map(logEntry).sort((a, b) => a.index - b.index),
  })
}

function logEntry(row: CaseRow) {
  return {
    index: read.int32(row, 'index'),
    contractId: read.int64(row, 'contract_id'),
    rootContractId: read.int64OrNull(row, 'root_contract_id'),
    topic0: read.bytesOrNull(row, 'topic0'),
    topic1: read.bytesOrNull(row, 'topic1'),
    topic2: read.bytesOrNull(row, 'topic2'),
    topic3: read.bytesOrNull(row, 'topic3'),
    data: read.bytes(row, 'data'),
    bloom: read.bytes(row, 'bloom'),
    synthetic: read.flag(row, 'synthetic'),
  }
}
