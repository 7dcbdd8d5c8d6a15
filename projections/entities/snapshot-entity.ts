import { bit } from '#projections/entities/changes/effect.ts'
import type { EntityRow } from '#projections/entities/schema.ts'
import type { EntitySnapshotted } from '#schemas/events/types.ts'

export const entitySnapshotFields = [
  'entityId',
  'type',
  'asOf',
  'validTo',
  'createdTimestamp',
  'deleted',
  'key',
  'publicKey',
  'alias',
  'evmAddress',
  'memo',
  'expirationTimestamp',
  'autoRenewPeriod',
  'autoRenewAccountId',
  'proxyAccountId',
  'receiverSigRequired',
  'maxAutomaticTokenAssociations',
  'stakedAccountId',
  'stakedNodeId',
  'declineReward',
  'stakePeriodStart',
  'ethereumNonce',
  'obtainerId',
  'permanentRemoval',
  'delegationAddress',
] as const

/** The row that a statement says; nothing of what was known before remains. */
export function entityOfSnapshot(statement: Pick<EntitySnapshotted, (typeof entitySnapshotFields)[number]>): EntityRow {
  const { entityId, asOf, validTo, deleted, receiverSigRequired, declineReward, permanentRemoval, ...same } = statement
  return {
    ...same,
    id: entityId,
    from: asOf,
    until: validTo,
    previous: null,
    deleted: bitOrNull(deleted),
    receiverSigRequired: bitOrNull(receiverSigRequired),
    declineReward: bit(declineReward),
    permanentRemoval: bitOrNull(permanentRemoval),
  }
}

function bitOrNull(value: boolean | null): number | null {
  return value === null ? null : bit(value)
}
