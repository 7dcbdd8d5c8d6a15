import type { EntityRow } from '#projections/entities/schema.ts'
import { encodeBase32 } from '#src/domain/base32.ts'
import { hexOf } from '#src/domain/bytes.ts'
import { evmAddressBytes, longZeroDigits } from '#src/domain/evm-address.ts'
import { expiryOf } from '#src/domain/expiry.ts'
import { flagText, idText, timeText } from '#src/domain/json-text.ts'
import { nanosPerSecond } from '#src/domain/ledger-time.ts'
import { renderKey } from '#src/domain/public-key.ts'

/** What an account's object is made of. */
export const accountTextFields = [
  'id',
  'createdTimestamp',
  'deleted',
  'key',
  'alias',
  'evmAddress',
  'memo',
  'expirationTimestamp',
  'autoRenewPeriod',
  'receiverSigRequired',
  'maxAutomaticTokenAssociations',
  'stakedAccountId',
  'stakedNodeId',
  'declineReward',
  'stakePeriodStart',
  'ethereumNonce',
  'delegationAddress',
] as const satisfies readonly (keyof EntityRow)[]

type ShownRow = Pick<EntityRow, (typeof accountTextFields)[number]>

const secondsPerDay = 86_400n

/**
 * The members of an account's object as JSON text, in three lines: a balance follows the first, the pending reward the second,
 * which other read models know. JSON text has no line breaks of its own. Joined, since a sum of texts refers to all its parts
 * as long as the fold keeps the row: the collector took more time for them than the whole fold for accounts.
 */
export function accountText(row: ShownRow): string {
  return [
    '"account":',
    idText(row.id),
    ',"alias":',
    row.alias === null ? 'null' : `"${encodeBase32(row.alias)}"`,
    ',"auto_renew_period":',
    row.autoRenewPeriod === null ? 'null' : row.autoRenewPeriod.toString(),
    ',"balance":\n,"created_timestamp":',
    timeText(row.createdTimestamp),
    row.declineReward === 1 ? ',"decline_reward":true' : ',"decline_reward":false',
    ',"delegation_address":"',
    delegationAddress(row),
    '","deleted":',
    flagText(row.deleted),
    ',"ethereum_nonce":',
    row.ethereumNonce === null ? 'null' : row.ethereumNonce.toString(),
    ',"evm_address":"',
    evmAddress(row),
    '","expiry_timestamp":',
    timeText(expiryOf(row)),
    ',"key":',
    renderKey(row.key),
    ',"max_automatic_token_associations":',
    `${row.maxAutomaticTokenAssociations}`,
    ',"memo":',
    JSON.stringify(row.memo),
    ',"pending_reward":\n,"receiver_sig_required":',
    flagText(row.receiverSigRequired),
    ',"staked_account_id":',
    idText(row.stakedAccountId),
    ',"staked_node_id":',
    stakedNode(row),
    ',"stake_period_start":',
    stakePeriodStart(row),
  ].join('')
}

/** The members with what stands between the lines. */
export function accountMembers(text: string, balance: string, pendingReward: bigint): string {
  const first = text.indexOf('\n')
  const second = text.indexOf('\n', first + 1)
  return text.slice(0, first) + balance + text.slice(first + 1, second) + pendingReward + text.slice(second + 1)
}

function evmAddress({ id, alias, evmAddress: stored }: ShownRow): string {
  const named = stored ?? (alias?.length === evmAddressBytes ? alias : null)
  return `0x${named === null ? longZeroDigits(id) : hexOf(named)}`
}

/** An address of nothing but zeros takes a delegation back. */
function delegationAddress({ delegationAddress: address }: ShownRow): string {
  return address?.some((byte) => byte !== 0) ? `0x${hexOf(address)}` : '0x'
}

function stakedNode({ stakedNodeId }: ShownRow): string {
  return stakedNodeId === null || stakedNodeId === -1n ? 'null' : `${stakedNodeId}`
}

function stakePeriodStart({ stakedNodeId, stakePeriodStart: day }: ShownRow): string {
  if (stakedNodeId === null || stakedNodeId === -1n || day === null || day === -1n) return 'null'
  return timeText(day * secondsPerDay * nanosPerSecond)
}
