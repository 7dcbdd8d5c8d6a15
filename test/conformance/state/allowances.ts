import type { CaseRow, CaseRows } from '#test/conformance/case-file.ts'
import * as read from '#test/conformance/row-values.ts'
import { type Statement, statement, validityOf, versionsOf } from '#test/conformance/state/statement.ts'

/** Tables `crypto_allowance` and `token_allowance`, with their histories. */
export function allowanceStatements(rows: CaseRows): Statement[] {
  return [...versionsOf(rows, 'crypto_allowance'), ...versionsOf(rows, 'token_allowance')].map(allowanceStatement)
}

function allowanceStatement(row: CaseRow): Statement {
  const ids = {
    ownerId: read.int64(row, 'owner'),
    spenderId: read.int64(row, 'spender'),
    tokenId: read.int64OrNull(row, 'token_id'),
  }
  return statement('AllowanceSnapshotted', `allowance/${ids.ownerId}/${ids.spenderId}/${ids.tokenId ?? 0n}`, {
    ...ids,
    ...validityOf(row),
    amountGranted: read.int64(row, 'amount_granted'),
    amount: read.int64(row, 'amount'),
  })
}
