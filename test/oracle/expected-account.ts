import { formatLedgerTime } from '#src/domain/ledger-time.ts'
import type { Entity } from '#src/simulator/ledger-change.ts'
import type { Held, LedgerView } from '#src/simulator/ledger-view.ts'
import type { Json } from '#test/oracle/simulated-ledger.ts'

const secondsPerDay = 86_400
const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** What the API shows of an account or contract, but for its balance, as the network itself knows it. */
export function expectedAccount(num: number, entity: Held<Entity>, view: LedgerView): Json {
  const { createdAt, expirationTime, autoRenewSeconds, alias } = entity
  const expiry =
    expirationTime ??
    (createdAt !== null && autoRenewSeconds !== null ? createdAt + BigInt(autoRenewSeconds) * 1_000_000_000n : null)
  const stakedNode = entity.stakedNode === null || entity.stakedNode < 0 ? null : entity.stakedNode
  const staked = stakedNode !== null && entity.stakePeriodStart !== null && entity.stakePeriodStart >= 0
  return {
    account: `0.0.${num}`,
    alias: alias === null ? null : base32Of(Buffer.from(alias, 'hex')),
    auto_renew_period: autoRenewSeconds,
    created_timestamp: createdAt === null ? null : timeOf(createdAt),
    decline_reward: entity.declineReward,
    delegation_address: delegationOf(entity),
    deleted: entity.deleted,
    ethereum_nonce: entity.ethereumNonce,
    evm_address: addressOf(num, entity),
    expiry_timestamp: expiry === null ? null : timeOf(expiry),
    key: keyOf(entity.key),
    max_automatic_token_associations: entity.maxAutomaticAssociations ?? 0,
    memo: entity.memo,
    pending_reward: Number(view.pendingReward(num)),
    receiver_sig_required: entity.receiverSigRequired,
    staked_account_id: entity.stakedAccount ? `0.0.${entity.stakedAccount}` : null,
    staked_node_id: stakedNode,
    stake_period_start: staked ? `${(entity.stakePeriodStart ?? 0) * secondsPerDay}.000000000` : null,
  }
}

/** The balance of an account as the API lists it, with what it holds of tokens, ascending by token. */
export function expectedBalance(num: number, view: LedgerView): Json {
  const tokens = [...view.tokensOf(num)]
    .filter(([, { associated }]) => associated)
    .sort(([a], [b]) => a - b)
    .map(([token, { balance }]) => ({ token_id: `0.0.${token}`, balance: exact(balance) }))
  return { balance: exact(view.balance(num) ?? 0n), tokens }
}

/** As the answer's parser gives it. */
export function exact(value: bigint): number | bigint {
  return value > BigInt(Number.MAX_SAFE_INTEGER) || value < -BigInt(Number.MAX_SAFE_INTEGER) ? value : Number(value)
}

export function timeOf(nanos: bigint): string {
  return formatLedgerTime(nanos)
}

/** Nobody, or the zero address that takes a delegation back, is shown alike. */
function delegationOf({ delegationAddress }: Entity): string {
  return delegationAddress === null || /^0*$/.test(delegationAddress) ? '0x' : `0x${delegationAddress}`
}

function addressOf(num: number, { evmAddress, alias }: Entity): string {
  if (evmAddress !== null) return `0x${evmAddress}`
  return alias !== null && alias.length === 40 ? `0x${alias}` : `0x${num.toString(16).padStart(40, '0')}`
}

/** A simple key by its kind; the network makes no list of one key, so that everything else is shown as it is. */
export function keyOf(key: string | null): Json {
  if (key === null || key === '3200') return null
  if (/^1220[0-9a-f]{64}$/.test(key)) return { _type: 'ED25519', key: key.slice(4) }
  if (/^3a21[0-9a-f]{66}$/.test(key)) return { _type: 'ECDSA_SECP256K1', key: key.slice(4) }
  return { _type: 'ProtobufEncoded', key }
}

function base32Of(bytes: Uint8Array): string {
  let text = ''
  let [bits, held] = [0, 0]
  for (const byte of bytes) {
    bits = (bits << 8) | byte
    for (held += 8; held >= 5; held -= 5) text += base32[(bits >>> (held - 5)) & 31]
    bits &= (1 << held) - 1
  }
  return held === 0 ? text : text + base32[(bits << (5 - held)) & 31]
}
