import type { EntityRow } from '#projections/entities/schema.ts'
import { asBuffer } from '#src/domain/bytes.ts'
import { longZeroAddress } from '#src/domain/evm-address.ts'
import { expiryOf } from '#src/domain/expiry.ts'
import { flagText, idText, timeText } from '#src/domain/json-text.ts'
import { formatLedgerTime } from '#src/domain/ledger-time.ts'
import { renderKey } from '#src/domain/public-key.ts'

/** The members of a contract's object as JSON text, without the braces: the detail adds its code. */
export function renderContract(row: EntityRow, fileId: bigint | null): string {
  return (
    `"admin_key":${renderKey(row.key)},"auto_renew_account":${idText(row.autoRenewAccountId)},` +
    `"auto_renew_period":${row.autoRenewPeriod},"contract_id":${idText(row.id)},"created_timestamp":${timeText(row.createdTimestamp)},` +
    `"deleted":${flagText(row.deleted)},"evm_address":"0x${asBuffer(row.evmAddress ?? longZeroAddress(row.id)).toString('hex')}",` +
    `"expiration_timestamp":${timeText(expiryOf(row))},"file_id":${idText(fileId)},` +
    `"max_automatic_token_associations":${row.maxAutomaticTokenAssociations},"memo":${JSON.stringify(row.memo)},` +
    `"nonce":${row.ethereumNonce},"obtainer_id":${idText(row.obtainerId)},"permanent_removal":${flagText(row.permanentRemoval)},` +
    `"proxy_account_id":${idText(row.proxyAccountId)},` +
    `"timestamp":{"from":"${formatLedgerTime(row.from)}","to":${timeText(row.until)}}`
  )
}
