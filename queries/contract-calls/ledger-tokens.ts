import type { CustomFees } from '#projections/custom-fees/packing.ts'
import { type TokenRow, TokenType, tokenRowFields } from '#projections/tokens/schema.ts'
import type { CallBlock } from '#queries/contract-calls/find-block.ts'
import { idOfNumber, numberOfId } from '#queries/contract-calls/numbers.ts'
import type { CallContext } from '#queries/contract-calls/reads.ts'
import { unknownFact } from '#queries/contract-calls/unknown-fact.ts'
import { findFees } from '#queries/custom-fees/find-fees.ts'
import { findRelationBalances } from '#queries/tokens/find-relation-balances.ts'
import { findSupply } from '#queries/tokens/find-tokens.ts'
import { formatEntityId } from '#src/domain/entity-id.ts'
import { expiryOf } from '#src/domain/expiry.ts'
import { nanosPerSecond } from '#src/domain/ledger-time.ts'
import type { FeeFacts, TokenFacts, TokenLedger } from '#src/evm/token-facts.ts'

type Tokens = Pick<TokenLedger, 'token' | 'relation'>
const finiteSupply = 1
const paused = 1
const frozen = 1
const granted = 1
const revoked = 2
const none = new Uint8Array(0)
const entityFields = [
  'deleted',
  'key',
  'memo',
  'expirationTimestamp',
  'createdTimestamp',
  'autoRenewPeriod',
  'autoRenewAccountId',
] as const

/** Tokens and their relations as contracts see them at a block. */
export function tokensAt(block: CallBlock, context: CallContext): Tokens {
  const { rows, checkpoint } = context

  async function token(number: bigint): Promise<TokenFacts | undefined> {
    const id = idOfNumber(number, context)
    if (id === undefined) return undefined
    const tokens = rows.tokens.at(block.time)
    const entities = rows.entities.at(block.time)
    const [[row], [entity], fees, supply] = await Promise.all([
      tokens.get('tokens', [[id]], tokenRowFields),
      entities.get('entities', [[id]], entityFields),
      findFees(tokens, id),
      findSupply(context, id, block.time),
    ])
    if (row === undefined || entity === undefined || entity.deleted === 1) return undefined
    const expiry = expiryOf(entity)
    return {
      ...definitionOf(row),
      id: number,
      memo: entity.memo,
      totalSupply: supply ?? row.initialSupply,
      keys: { ...keysOf(row), admin: entity.key },
      // Of a token that no expiry is known of, as of one that never expires, contracts see 0.
      expirySeconds: expiry === null ? 0n : expiry / nanosPerSecond,
      autoRenewAccount: numberOfId(entity.autoRenewAccountId),
      autoRenewSeconds: entity.autoRenewPeriod ?? 0n,
      fees: feesOf(fees),
    }
  }

  return {
    token,
    relation: async (tokenNumber, accountNumber) => {
      const [id, account] = [idOfNumber(tokenNumber, context), idOfNumber(accountNumber, context)]
      if (id === undefined || account === undefined) return undefined
      const tokens = rows.tokens.at(block.time)
      const at = { checkpoint, time: block.isNewest ? undefined : block.time }
      const [[relation], [held], [row]] = await Promise.all([
        tokens.get('relations', [[id, account]], ['associated', 'automatic', 'freezeStatus', 'kycStatus']),
        findRelationBalances(rows.balances, [[account, id]], at),
        tokens.get('tokens', [[id]], ['freezeStatus', 'kycStatus', 'whole']),
      ])
      if (row === undefined || relation?.associated === 0) return undefined
      if (relation === undefined && held === undefined) return undefined
      if (held === undefined)
        throw unknownFact(`what account ${formatEntityId(account)} has of token ${formatEntityId(id)}`)
      return {
        balance: held.balance,
        isFrozen: (relation?.freezeStatus ?? row.freezeStatus) === frozen,
        isKycGranted: (relation?.kycStatus ?? row.kycStatus) !== revoked,
        isAutomatic: relation?.automatic === 1,
      }
    },
  }
}

function definitionOf(row: TokenRow) {
  return {
    isNft: row.type === TokenType.nft,
    name: row.name,
    symbol: row.symbol,
    decimals: row.decimals,
    hasMaxSupply: row.supplyType === finiteSupply,
    maxSupply: row.maxSupply,
    treasury: numberOfId(row.treasury),
    freezeDefault: row.freezeDefault === 1,
    kycDefault: row.kycStatus === granted,
    isPaused: row.pauseStatus === paused,
    metadata: row.metadata ?? none,
  }
}

function keysOf(row: TokenRow) {
  return {
    kyc: row.kycKey,
    freeze: row.freezeKey,
    wipe: row.wipeKey,
    supply: row.supplyKey,
    feeSchedule: row.feeScheduleKey,
    pause: row.pauseKey,
    metadata: row.metadataKey,
  }
}

interface Payee {
  readonly collectorAccountId: bigint | null
  readonly allCollectorsAreExempt: boolean
}

interface Fixed {
  readonly amount: bigint
  readonly denominatingTokenId: bigint | null
}

/** Custom fees as contracts see them. */
export function feesOf(fees: CustomFees | undefined): FeeFacts {
  const payee = ({ collectorAccountId, allCollectorsAreExempt }: Payee) => ({
    collector: numberOfId(collectorAccountId),
    collectorsAreExempt: allCollectorsAreExempt,
  })
  const fixed = ({ amount, denominatingTokenId }: Fixed) => ({ amount, token: numberOfId(denominatingTokenId) })
  return {
    fixed: (fees?.fixedFees ?? []).map((fee) => ({ ...payee(fee), ...fixed(fee) })),
    fractional: (fees?.fractionalFees ?? []).map((fee) => ({
      ...payee(fee),
      numerator: fee.numerator,
      denominator: fee.denominator,
      minimum: fee.minimumAmount,
      maximum: fee.maximumAmount ?? 0n,
      netOfTransfers: fee.netOfTransfers,
    })),
    royalty: (fees?.royaltyFees ?? []).map((fee) => ({
      ...payee(fee),
      numerator: fee.numerator,
      denominator: fee.denominator,
      fallback: fee.fallbackFee === null ? null : fixed(fee.fallbackFee),
    })),
  }
}
