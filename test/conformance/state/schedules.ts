import type { CaseRow, CaseRows } from '#test/conformance/case-file.ts'
import * as read from '#test/conformance/row-values.ts'
import { type Statement, statement } from '#test/conformance/state/statement.ts'

/** Tables `schedule` and `transaction_signature`; what a schedule shares with other entities is stated with these. */
export function scheduleStatements(rows: CaseRows): Statement[] {
  const signatures = Map.groupBy(rows['transaction_signature'] ?? [], (row) => read.int64(row, 'entity_id'))
  return (rows['schedule'] ?? []).map((row) => {
    const scheduleId = read.int64(row, 'schedule_id')
    return statement('ScheduleSnapshotted', `schedule/${scheduleId}`, {
      scheduleId,
      asOf: read.int64(row, 'consensus_timestamp'),
      creatorAccountId: read.int64OrNull(row, 'creator_account_id'),
      payerAccountId: read.int64OrNull(row, 'payer_account_id'),
      executedTimestamp: read.int64OrNull(row, 'executed_timestamp'),
      expirationTimestamp: read.int64OrNull(row, 'expiration_time'),
      waitForExpiry: read.flag(row, 'wait_for_expiry'),
      transactionBody: read.bytes(row, 'transaction_body'),
      signatures: (signatures.get(scheduleId) ?? []).map(signatureOf).sort(byTime),
    })
  })
}

function signatureOf(row: CaseRow) {
  return {
    consensusTimestamp: read.int64(row, 'consensus_timestamp'),
    publicKeyPrefix: read.bytes(row, 'public_key_prefix'),
    signature: read.bytes(row, 'signature'),
    type: read.int32(row, 'type'),
  }
}

type WithTime = Pick<ReturnType<typeof signatureOf>, 'consensusTimestamp'>

function byTime({ consensusTimestamp: a }: WithTime, { consensusTimestamp: b }: WithTime): number {
  return a < b ? -1 : a > b ? 1 : 0
}
