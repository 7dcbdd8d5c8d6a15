import { apiVersion } from '#projections/protocol/version.ts'
import type { TokenRow } from '#projections/tokens/schema.ts'
import type { Key, TokenCreateTransactionBody, TokenUpdateTransactionBody } from '#schemas/events/types.ts'
import { withoutNul } from '#src/domain/json-text.ts'
import { accountNumber, orNull } from '#src/events/ids.ts'
import { keyBytes } from '#src/events/key-bytes.ts'

/** Numbers of the enums that rows and answers use; not those of the protobuf. */
export const FreezeStatus = { notApplicable: 0, frozen: 1, unfrozen: 2 } as const
export const KycStatus = { notApplicable: 0, granted: 1, revoked: 2 } as const
export const PauseStatus = { notApplicable: 0, paused: 1, unpaused: 2 } as const

/** Fields about metadata count since this version of the ledger's API; a ledger of unknown version has them. */
const metadataSince = apiVersion(0, 49)

function hasMetadata(version: number | undefined): boolean {
  return version === undefined || version >= metadataSince
}

/** The first version of a token. */
export function createdToken(
  id: bigint,
  time: bigint,
  body: TokenCreateTransactionBody,
  version: number | undefined,
): TokenRow {
  return {
    id,
    from: time,
    until: null,
    created: time,
    whole: 1,
    type: body.tokenType,
    name: withoutNul(body.name),
    symbol: withoutNul(body.symbol),
    decimals: body.decimals,
    initialSupply: body.initialSupply,
    maxSupply: body.maxSupply,
    supplyType: body.supplyType,
    treasury: orNull(accountNumber(body.treasury)),
    freezeDefault: body.freezeDefault ? 1 : 0,
    freezeStatus: defaultFreezeStatus(body),
    kycStatus: body.kycKey === null ? KycStatus.notApplicable : KycStatus.revoked,
    pauseStatus: body.pauseKey === null ? PauseStatus.notApplicable : PauseStatus.unpaused,
    feeScheduleKey: keyOrNull(body.feeScheduleKey),
    freezeKey: keyOrNull(body.freezeKey),
    kycKey: keyOrNull(body.kycKey),
    metadataKey: hasMetadata(version) ? keyOrNull(body.metadataKey) : null,
    pauseKey: keyOrNull(body.pauseKey),
    supplyKey: keyOrNull(body.supplyKey),
    wipeKey: keyOrNull(body.wipeKey),
    metadata: hasMetadata(version) ? body.metadata : null,
  }
}

function defaultFreezeStatus({ freezeKey, freezeDefault }: TokenCreateTransactionBody): number {
  if (freezeKey === null) return FreezeStatus.notApplicable
  return freezeDefault ? FreezeStatus.frozen : FreezeStatus.unfrozen
}

/** What an update leaves of a token. Statuses that relations begin with stay those of the creation, whatever keys come or go. */
export function updatedToken(
  before: TokenRow,
  body: TokenUpdateTransactionBody,
  version: number | undefined,
): TokenRow {
  const metadata = hasMetadata(version) ? body : { metadata: null, metadataKey: null }
  return {
    ...before,
    name: body.name === '' ? before.name : withoutNul(body.name),
    symbol: body.symbol === '' ? before.symbol : withoutNul(body.symbol),
    treasury: body.treasury === null ? before.treasury : orNull(accountNumber(body.treasury)),
    feeScheduleKey: keyOrNull(body.feeScheduleKey) ?? before.feeScheduleKey,
    freezeKey: keyOrNull(body.freezeKey) ?? before.freezeKey,
    kycKey: keyOrNull(body.kycKey) ?? before.kycKey,
    metadataKey: keyOrNull(metadata.metadataKey) ?? before.metadataKey,
    pauseKey: keyOrNull(body.pauseKey) ?? before.pauseKey,
    supplyKey: keyOrNull(body.supplyKey) ?? before.supplyKey,
    wipeKey: keyOrNull(body.wipeKey) ?? before.wipeKey,
    metadata: metadata.metadata ?? before.metadata,
  }
}

function keyOrNull(key: Key | null): Uint8Array | null {
  return key && keyBytes(key)
}
