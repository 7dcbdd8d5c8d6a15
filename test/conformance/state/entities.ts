import type { CaseRow, CaseRows } from '#test/conformance/case-file.ts'
import * as read from '#test/conformance/row-values.ts'
import { type Statement, statement, validityOf, versionsOf } from '#test/conformance/state/statement.ts'

/** Tables `entity` and `entity_history`, without the balance. */
export function entityStatements(rows: CaseRows): Statement[] {
  return versionsOf(rows, 'entity').map(entityStatement)
}

function entityStatement(row: CaseRow): Statement {
  const entityId = read.int64(row, 'id')
  return statement('EntitySnapshotted', `entity/${entityId}`, {
    entityId,
    type: read.text(row, 'type'),
    ...validityOf(row),
    createdTimestamp: read.int64OrNull(row, 'created_timestamp'),
    deleted: read.flagOrNull(row, 'deleted'),
    key: read.bytesOrNull(row, 'key'),
    publicKey: read.textOrNull(row, 'public_key'),
    alias: read.bytesOrNull(row, 'alias'),
    evmAddress: read.bytesOrNull(row, 'evm_address'),
    memo: read.text(row, 'memo'),
    expirationTimestamp: read.int64OrNull(row, 'expiration_timestamp'),
    autoRenewPeriod: read.int64OrNull(row, 'auto_renew_period'),
    autoRenewAccountId: read.int64OrNull(row, 'auto_renew_account_id'),
    proxyAccountId: read.int64OrNull(row, 'proxy_account_id'),
    receiverSigRequired: read.flagOrNull(row, 'receiver_sig_required'),
    maxAutomaticTokenAssociations: read.int32OrNull(row, 'max_automatic_token_associations'),
    stakedAccountId: read.int64OrNull(row, 'staked_account_id'),
    stakedNodeId: read.int64OrNull(row, 'staked_node_id'),
    declineReward: read.flag(row, 'decline_reward'),
    stakePeriodStart: read.int64OrNull(row, 'stake_period_start'),
    ethereumNonce: read.int64OrNull(row, 'ethereum_nonce'),
    obtainerId: read.int64OrNull(row, 'obtainer_id'),
    permanentRemoval: read.flagOrNull(row, 'permanent_removal'),
    delegationAddress: read.bytesOrNull(row, 'delegation_address'),
  })
}
