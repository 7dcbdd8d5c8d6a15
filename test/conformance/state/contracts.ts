import type { CaseRow, CaseRows } from '#test/conformance/case-file.ts'
import * as read from '#test/conformance/row-values.ts'
import { type Statement, statement } from '#test/conformance/state/statement.ts'

/** Tables `contract` and `contract_state`. */
export function contractStatements(rows: CaseRows): Statement[] {
  return [...(rows['contract'] ?? []).map(contractStatement), ...(rows['contract_state'] ?? []).map(slotStatement)]
}

function contractStatement(row: CaseRow): Statement {
  const contractId = read.int64(row, 'id')
  return statement('ContractSnapshotted', `contract/${contractId}`, {
    contractId,
    asOf: 0n,
    fileId: read.int64OrNull(row, 'file_id'),
    initcode: read.bytesOrNull(row, 'initcode'),
    runtimeBytecode: read.bytesOrNull(row, 'runtime_bytecode'),
  })
}

function slotStatement(row: CaseRow): Statement {
  const contractId = read.int64(row, 'contract_id')
  const slot = read.bytes(row, 'slot')
  return statement('ContractStateSnapshotted', `contract-state/${contractId}/${slot.toString('hex')}`, {
    contractId,
    slot,
    asOf: read.int64(row, 'modified_timestamp'),
    value: read.bytes(row, 'value'),
    createdTimestamp: read.int64(row, 'created_timestamp'),
  })
}
