import type { EntityRow } from '#projections/entities/schema.ts'
import { asBuffer } from '#src/domain/bytes.ts'
import { formatEntityId } from '#src/domain/entity-id.ts'
import { longZeroAddress } from '#src/domain/evm-address.ts'
import { formatLedgerTime, nanosPerSecond } from '#src/domain/ledger-time.ts'
import { renderKey } from '#src/domain/public-key.ts'

/** An entity, and the end of its version; null while it is in force. */
export type ContractVersion = EntityRow & { readonly to?: bigint }

/** The members of a contract's object as JSON text, without the braces: the detail adds its code. */
export function renderContract(row: ContractVersion, fileId: bigint | null): string {
  return (
    `"admin_key":${renderKey(row.key)},"auto_renew_account":${id(row.autoRenewAccountId)},` +
    `"auto_renew_period":${row.autoRenewPeriod},"contract_id":${id(row.id)},"created_timestamp":${time(row.createdTimestamp)},` +
    `"deleted":${flag(row.deleted)},"evm_address":"0x${asBuffer(row.evmAddress ?? longZeroAddress(row.id)).toString('hex')}",` +
    `"expiration_timestamp":${expiry(row)},"file_id":${id(fileId)},` +
    `"max_automatic_token_associations":${row.maxAutomaticTokenAssociations},"memo":${JSON.stringify(row.memo)},` +
    `"nonce":${row.ethereumNonce},"obtainer_id":${id(row.obtainerId)},"permanent_removal":${flag(row.permanentRemoval)},` +
    `"proxy_account_id":${id(row.proxyAccountId)},` +
    `"timestamp":{"from":"${formatLedgerTime(row.from)}","to":${time(row.to ?? null)}}`
  )
}

function id(value: bigint | null): string {
  return value === null || value === 0n ? 'null' : `"${formatEntityId(value)}"`
}

function time(value: bigint | null): string {
  return value === null ? 'null' : `"${formatLedgerTime(value)}"`
}

function flag(value: number | null): string {
  return value === null ? 'null' : value === 1 ? 'true' : 'false'
}

function expiry({ expirationTimestamp, createdTimestamp, autoRenewPeriod }: EntityRow): string {
  if (expirationTimestamp !== null) return time(expirationTimestamp)
  if (createdTimestamp === null || autoRenewPeriod === null) return 'null'
  return time(createdTimestamp + autoRenewPeriod * nanosPerSecond)
}
