import type { CaseRow, CaseRows } from '#test/conformance/case-file.ts'
import * as read from '#test/conformance/row-values.ts'
import { type Statement, statement, validityOf, versionsOf } from '#test/conformance/state/statement.ts'

const types = ['FUNGIBLE_COMMON', 'NON_FUNGIBLE_UNIQUE']
const supplyTypes = ['INFINITE', 'FINITE']
const pauseStatuses = ['NOT_APPLICABLE', 'PAUSED', 'UNPAUSED']

/** Tables `token` and `token_history`. */
export function tokenStatements(rows: CaseRows): Statement[] {
  return versionsOf(rows, 'token').map(tokenStatement)
}

function tokenStatement(row: CaseRow): Statement {
  const tokenId = read.int64(row, 'token_id')
  return statement('TokenSnapshotted', `token/${tokenId}`, {
    tokenId,
    ...validityOf(row),
    createdTimestamp: read.int64OrNull(row, 'created_timestamp'),
    type: read.placeOf(row, 'type', types),
    name: read.text(row, 'name'),
    symbol: read.text(row, 'symbol'),
    decimals: read.int64(row, 'decimals'),
    initialSupply: read.int64(row, 'initial_supply'),
    totalSupply: read.int64(row, 'total_supply'),
    maxSupply: read.int64(row, 'max_supply'),
    supplyType: read.placeOf(row, 'supply_type', supplyTypes),
    treasuryAccountId: read.int64OrNull(row, 'treasury_account_id'),
    freezeDefault: read.flag(row, 'freeze_default'),
    freezeStatus: read.int32(row, 'freeze_status'),
    kycStatus: read.int32(row, 'kyc_status'),
    pauseStatus: read.placeOf(row, 'pause_status', pauseStatuses),
    ...keysOf(row),
    metadata: read.bytesOrNull(row, 'metadata'),
  })
}

function keysOf(row: CaseRow) {
  return {
    feeScheduleKey: read.bytesOrNull(row, 'fee_schedule_key'),
    freezeKey: read.bytesOrNull(row, 'freeze_key'),
    kycKey: read.bytesOrNull(row, 'kyc_key'),
    metadataKey: read.bytesOrNull(row, 'metadata_key'),
    pauseKey: read.bytesOrNull(row, 'pause_key'),
    supplyKey: read.bytesOrNull(row, 'supply_key'),
    wipeKey: read.bytesOrNull(row, 'wipe_key'),
  }
}
