import type { CaseRow, CaseRows } from '#test/conformance/case-file.ts'
import * as read from '#test/conformance/row-values.ts'
import { type Statement, statement, validityOf, versionsOf } from '#test/conformance/state/statement.ts'

const extensionPoints = ['ACCOUNT_ALLOWANCE_HOOK']

/** Tables `hook`, `hook_history`, `hook_storage` and `hook_storage_change`. */
export function hookStatements(rows: CaseRows): Statement[] {
  return [
    ...versionsOf(rows, 'hook').map(hookStatement),
    ...(rows['hook_storage_change'] ?? []).map(storageChange),
    ...(rows['hook_storage'] ?? []).map(storageStatement),
  ]
}

function hookStatement(row: CaseRow): Statement {
  const ids = idsOf(row)
  return statement('HookSnapshotted', `hook/${ids.ownerId}/${ids.hookId}`, {
    ...ids,
    ...validityOf(row),
    contractId: read.int64OrNull(row, 'contract_id'),
    extensionPoint: read.placeOf(row, 'extension_point', extensionPoints),
    type: read.text(row, 'type'),
    adminKey: read.bytesOrNull(row, 'admin_key'),
    createdTimestamp: read.int64OrNull(row, 'created_timestamp'),
    deleted: read.flag(row, 'deleted'),
  })
}

function storageStatement(row: CaseRow): Statement {
  return statement('HookStorageSnapshotted', `hook-storage/${slotOf(row)}`, {
    ...idsOf(row),
    key: read.bytes(row, 'key'),
    asOf: read.int64(row, 'modified_timestamp'),
    value: read.bytes(row, 'value'),
    createdTimestamp: read.int64(row, 'created_timestamp'),
    deleted: read.flag(row, 'deleted'),
  })
}

function storageChange(row: CaseRow): Statement {
  return statement('HookStorageChangeSnapshotted', `hook-storage-change/${slotOf(row)}`, {
    ...idsOf(row),
    key: read.bytes(row, 'key'),
    asOf: read.int64(row, 'consensus_timestamp'),
    valueRead: read.bytes(row, 'value_read'),
    valueWritten: read.bytesOrNull(row, 'value_written'),
    deleted: read.flag(row, 'deleted'),
  })
}

function idsOf(row: CaseRow): { ownerId: bigint; hookId: bigint } {
  return { ownerId: read.int64(row, 'owner_id'), hookId: read.int64(row, 'hook_id') }
}

function slotOf(row: CaseRow): string {
  const { ownerId, hookId } = idsOf(row)
  return `${ownerId}/${hookId}/${read.bytes(row, 'key').toString('hex')}`
}
