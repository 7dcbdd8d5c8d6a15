import type { AccountRow } from '#queries/accounts/reads.ts'
import type { AccountBalance } from '#queries/balances/find-account-balances.ts'
import { encodeBase32 } from '#queries/common/account-path.ts'
import { expiryOf } from '#queries/common/expiry.ts'
import { hexOf } from '#src/domain/bytes.ts'
import { formatEntityId } from '#src/domain/entity-id.ts'
import { evmAddressBytes, longZeroDigits } from '#src/domain/evm-address.ts'
import { formatLedgerTime, nanosPerSecond } from '#src/domain/ledger-time.ts'
import { renderKey } from '#src/domain/public-key.ts'

export type ShownBalance = Omit<AccountBalance, 'account'>

/** What an account's object is made of besides the entity. */
export interface AccountParts {
  /** null: not asked for. */
  readonly balance: ShownBalance | null
  /** tinybar; what its stake has earned, of which the network pays nothing to an account that is deleted. */
  readonly pendingReward: bigint
}

const secondsPerDay = 86_400n

/** The members of an account's object as JSON text, without the braces: the detail adds its transactions. */
export function renderAccount(row: AccountRow, { balance, pendingReward }: AccountParts): string {
  return (
    `"account":${id(row.id)},"alias":${row.alias === null ? 'null' : `"${encodeBase32(row.alias)}"`},` +
    `"auto_renew_period":${row.autoRenewPeriod},"balance":${renderBalance(balance)},` +
    `"created_timestamp":${time(row.createdTimestamp)},"decline_reward":${row.declineReward === 1},` +
    `"delegation_address":"${delegationAddress(row)}","deleted":${flag(row.deleted)},` +
    `"ethereum_nonce":${row.ethereumNonce},"evm_address":"${evmAddress(row)}","expiry_timestamp":${time(expiryOf(row))},` +
    `"key":${renderKey(row.key)},"max_automatic_token_associations":${row.maxAutomaticTokenAssociations},` +
    `"memo":${JSON.stringify(row.memo)},"pending_reward":${row.deleted === 1 ? 0n : pendingReward},` +
    `"receiver_sig_required":${flag(row.receiverSigRequired)},"staked_account_id":${id(row.stakedAccountId)},` +
    `"staked_node_id":${stakedNode(row)},"stake_period_start":${stakePeriodStart(row)}`
  )
}

export function renderBalance(balance: ShownBalance | null): string {
  if (balance === null) return 'null'
  let tokens = ''
  for (const { token, balance: units } of balance.tokens)
    tokens += `${tokens === '' ? '' : ','}{"token_id":${id(token)},"balance":${units}}`
  return `{"balance":${balance.balance},"timestamp":${time(balance.timestamp)},"tokens":[${tokens}]}`
}

/** 0 counts as none. */
function id(value: bigint | null): string {
  return value === null || value === 0n ? 'null' : `"${formatEntityId(value)}"`
}

function time(value: bigint | null): string {
  return value === null ? 'null' : `"${formatLedgerTime(value)}"`
}

function flag(value: number | null): string {
  return value === null ? 'null' : value === 1 ? 'true' : 'false'
}

function evmAddress({ id, alias, evmAddress: stored }: AccountRow): string {
  const named = stored ?? (alias?.length === evmAddressBytes ? alias : null)
  return `0x${named === null ? longZeroDigits(id) : hexOf(named)}`
}

/** An address of nothing but zeros takes a delegation back. */
function delegationAddress({ delegationAddress: address }: AccountRow): string {
  return address?.some((byte) => byte !== 0) ? `0x${hexOf(address)}` : '0x'
}

function stakedNode({ stakedNodeId }: AccountRow): string {
  return stakedNodeId === null || stakedNodeId === -1n ? 'null' : `${stakedNodeId}`
}

function stakePeriodStart({ stakedNodeId, stakePeriodStart: day }: AccountRow): string {
  if (stakedNodeId === null || stakedNodeId === -1n || day === null || day === -1n) return 'null'
  return time(day * secondsPerDay * nanosPerSecond)
}
