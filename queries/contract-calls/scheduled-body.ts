import { feesOf } from '#queries/contract-calls/ledger-tokens.ts'
import { signersOf } from '#queries/contract-calls/scheduled-signers.ts'
import type { Key, SchedulableTransactionBody, TokenCreateTransactionBody } from '#schemas/events/types.ts'
import { decodeMessage, eventMessage } from '#src/events/decode/protobuf.ts'
import { feesOfToken } from '#src/events/fees-of-bodies.ts'
import { keyBytes } from '#src/events/key-bytes.ts'
import type { ScheduledFacts } from '#src/evm/schedule-facts.ts'
import type { TokenFacts, TokenKeys } from '#src/evm/token-facts.ts'

const uniqueType = 1
const finiteSupply = 1
/** Members of a body that are not what it does. */
const besides: ReadonlySet<string> = new Set(['transactionFee', 'memo', 'maxCustomFees'])

/** What the serialized body of a schedule asks for. */
export function scheduledOf(bytes: Uint8Array): ScheduledFacts {
  const { message } = decodeMessage<SchedulableTransactionBody>(eventMessage('proto.SchedulableTransactionBody'), bytes)
  const found = Object.entries(message).find(([name, value]) => value !== null && !besides.has(name))
  const [kind, body] = found ?? ['transaction', null]
  const { contractCall, tokenCreation } = message
  return {
    kind,
    gas: contractCall?.gas ?? 0n,
    signers: signersOf(kind, body),
    ...(tokenCreation !== null && { token: tokenOf(tokenCreation) }),
  }
}

function tokenOf(body: TokenCreateTransactionBody): TokenFacts {
  const { name, symbol, memo, decimals, initialSupply, maxSupply, freezeDefault, metadata, customFees } = body
  return {
    ...{ id: 0n, name, symbol, memo, decimals, maxSupply, freezeDefault, metadata },
    isNft: body.tokenType === uniqueType,
    totalSupply: initialSupply,
    hasMaxSupply: body.supplyType === finiteSupply,
    treasury: body.treasury?.accountNum ?? 0n,
    kycDefault: false,
    isPaused: false,
    keys: keysOf(body),
    expirySeconds: body.expiry?.seconds ?? 0n,
    autoRenewAccount: body.autoRenewAccount?.accountNum ?? 0n,
    autoRenewSeconds: body.autoRenewPeriod?.seconds ?? 0n,
    fees: feesOf(feesOfToken(customFees, 0n)),
  }
}

function keysOf(body: TokenCreateTransactionBody): TokenKeys {
  const bytes = (key: Key | null) => key && keyBytes(key)
  return {
    admin: bytes(body.adminKey),
    kyc: bytes(body.kycKey),
    freeze: bytes(body.freezeKey),
    wipe: bytes(body.wipeKey),
    supply: bytes(body.supplyKey),
    feeSchedule: bytes(body.feeScheduleKey),
    pause: bytes(body.pauseKey),
    metadata: bytes(body.metadataKey),
  }
}
