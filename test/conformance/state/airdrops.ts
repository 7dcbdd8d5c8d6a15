import type { CaseRow, CaseRows } from '#test/conformance/case-file.ts'
import * as read from '#test/conformance/row-values.ts'
import { type Statement, statement, validityOf, versionsOf } from '#test/conformance/state/statement.ts'

/** Table `token_airdrop` with its history. */
export function airdropStatements(rows: CaseRows): Statement[] {
  return versionsOf(rows, 'token_airdrop').map(airdropStatement)
}

function airdropStatement(row: CaseRow): Statement {
  const ids = {
    senderId: read.int64(row, 'sender_account_id'),
    receiverId: read.int64(row, 'receiver_account_id'),
    tokenId: read.int64(row, 'token_id'),
    serialNumber: read.int64(row, 'serial_number'),
  }
  return statement('AirdropSnapshotted', `airdrop/${Object.values(ids).join('/')}`, {
    ...ids,
    ...validityOf(row),
    amount: read.int64OrNull(row, 'amount'),
    state: read.text(row, 'state'),
  })
}
