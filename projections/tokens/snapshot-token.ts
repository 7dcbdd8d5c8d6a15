import type { TokenRow } from '#projections/tokens/schema.ts'
import type { TokenSnapshotted } from '#schemas/events/types.ts'

export const tokenSnapshotFields = [
  'tokenId',
  'asOf',
  'validTo',
  'createdTimestamp',
  'type',
  'name',
  'symbol',
  'decimals',
  'initialSupply',
  'totalSupply',
  'maxSupply',
  'supplyType',
  'treasuryAccountId',
  'freezeDefault',
  'freezeStatus',
  'kycStatus',
  'pauseStatus',
  'feeScheduleKey',
  'freezeKey',
  'kycKey',
  'metadataKey',
  'pauseKey',
  'supplyKey',
  'wipeKey',
  'metadata',
] as const

type Statement = Pick<TokenSnapshotted, (typeof tokenSnapshotFields)[number]>

/** The row that a statement says; nothing of what was known before remains. */
export function tokenOfSnapshot(statement: Statement): Omit<TokenRow, 'whole'> {
  const { tokenId, asOf, validTo, createdTimestamp, totalSupply, treasuryAccountId, ...same } = statement
  return {
    ...same,
    id: tokenId,
    from: asOf,
    until: validTo,
    created: createdTimestamp,
    treasury: treasuryAccountId,
    freezeDefault: same.freezeDefault ? 1 : 0,
  }
}
