import type { FeeFacts, TokenFacts, TokenLedger } from '#src/evm/token-facts.ts'
import { keyBytes, type StatedKey } from '#test/evm/stated-key.ts'

/** A token of the shared state of the vectors. */
export interface StatedToken {
  readonly id: number
  readonly type: 'FUNGIBLE_COMMON' | 'NON_FUNGIBLE_UNIQUE'
  readonly name: string
  readonly symbol: string
  readonly memo?: string
  readonly decimals?: number
  readonly totalSupply: number
  readonly treasury: number
  readonly supplyType?: 'FINITE' | 'INFINITE'
  readonly maxSupply?: number
  readonly kycDefault?: boolean
  readonly freezeDefault?: boolean
  readonly paused?: boolean
  readonly autoRenewAccount?: number
  readonly autoRenewPeriod?: number
  readonly expiry?: number
  readonly metadata?: string
  readonly adminKey?: StatedKey
  readonly kycKey?: StatedKey
  readonly freezeKey?: StatedKey
  readonly wipeKey?: StatedKey
  readonly supplyKey?: StatedKey
  readonly feeScheduleKey?: StatedKey
  readonly pauseKey?: StatedKey
  readonly metadataKey?: StatedKey
  readonly customFees?: readonly StatedFee[]
}

export type StatedFee = { readonly collector: number } & (
  | { readonly type: 'fixed'; readonly amount: number; readonly token?: number }
  | {
      readonly type: 'fractional'
      readonly numerator: number
      readonly denominator: number
      readonly min: number
      readonly max: number
      readonly netOfTransfers: boolean
    }
  | {
      readonly type: 'royalty'
      readonly numerator: number
      readonly denominator: number
      readonly fallback?: { readonly amount: number; readonly token?: number }
    }
)

interface Pair {
  readonly owner: number
  readonly spender: number
}

export interface StatedTokens {
  readonly accounts: readonly { readonly id: number; readonly maxAutoAssociations?: number }[]
  readonly tokens: readonly StatedToken[]
  readonly relations: readonly {
    readonly account: number
    readonly token: number
    readonly balance: number
    readonly frozen?: boolean
    readonly kycGranted?: boolean
  }[]
  readonly nfts: readonly {
    readonly token: number
    readonly serial: number
    readonly owner: number
    readonly spender?: number
    readonly metadata: string
  }[]
  readonly allowances: {
    readonly crypto: readonly (Pair & { readonly amount: number })[]
    readonly token: readonly (Pair & { readonly amount: number; readonly token: number })[]
    readonly nftAll: readonly (Pair & { readonly token: number })[]
  }
  readonly airdrops: readonly {
    readonly sender: number
    readonly receiver: number
    readonly token: number
    readonly amount?: number
    readonly serial?: number
  }[]
}

const expirySeconds = 1_810_000_000
const autoRenewSeconds = 7_776_000

/** The tokens of the vectors as the EVM asks for them. */
export function tokenLedger(stated: StatedTokens): TokenLedger {
  return {
    token: async (id) => {
      const token = stated.tokens.find((each) => BigInt(each.id) === id)
      return token && factsOf(token)
    },
    relation: async (token, account) => {
      const found = stated.relations.find((each) => BigInt(each.token) === token && BigInt(each.account) === account)
      if (found === undefined) return undefined
      const { balance, frozen = false, kycGranted = true } = found
      return { balance: BigInt(balance), isFrozen: frozen, isKycGranted: kycGranted, isAutomatic: false }
    },
    nft: async (token, serial) => {
      const found = stated.nfts.find((each) => BigInt(each.token) === token && BigInt(each.serial) === serial)
      if (found === undefined) return undefined
      const { owner, spender = 0, metadata } = found
      return {
        owner: BigInt(owner),
        spender: BigInt(spender),
        createdSeconds: statedNftSeconds,
        metadata: Buffer.from(metadata, 'hex'),
      }
    },
    lastSerial: async (token) =>
      stated.nfts.reduce(
        (last, each) => (BigInt(each.token) === token && BigInt(each.serial) > last ? BigInt(each.serial) : last),
        0n,
      ),
    allowance: async (owner, spender, token) => {
      const all =
        token === 0n ? stated.allowances.crypto.map((each) => ({ ...each, token: 0 })) : stated.allowances.token
      const found = all.find(
        (each) => BigInt(each.owner) === owner && BigInt(each.spender) === spender && BigInt(each.token) === token,
      )
      return BigInt(found?.amount ?? 0)
    },
    approvedForAll: async (owner, spender, token) =>
      stated.allowances.nftAll.some(
        (each) => BigInt(each.owner) === owner && BigInt(each.spender) === spender && BigInt(each.token) === token,
      ),
    airdrop: async (sender, receiver, token, serial) => {
      const found = stated.airdrops.find(
        (each) =>
          BigInt(each.sender) === sender &&
          BigInt(each.receiver) === receiver &&
          BigInt(each.token) === token &&
          BigInt(each.serial ?? 0) === serial,
      )
      return found && BigInt(found.amount ?? 1)
    },
    associations: async (account) => {
      const found = stated.accounts.find(({ id }) => BigInt(id) === account)
      return { automaticMax: BigInt(found?.maxAutoAssociations ?? 0), automatic: 0n }
    },
  }
}

/** A ledger without tokens. */
export const noTokens = {
  tokens: [],
  relations: [],
  nfts: [],
  allowances: { crypto: [], token: [], nftAll: [] },
  airdrops: [],
} as const

/** When the NFTs of the vectors were made. */
export const statedNftSeconds = 1_600_000_000n

function factsOf(token: StatedToken): TokenFacts {
  const { keys, fees } = { keys: keysOf(token), fees: feesOf(token.customFees ?? []) }
  return {
    id: BigInt(token.id),
    isNft: token.type === 'NON_FUNGIBLE_UNIQUE',
    name: token.name,
    symbol: token.symbol,
    memo: token.memo ?? '',
    decimals: BigInt(token.decimals ?? 0),
    totalSupply: BigInt(token.totalSupply),
    hasMaxSupply: token.supplyType === 'FINITE',
    maxSupply: BigInt(token.maxSupply ?? 0),
    treasury: BigInt(token.treasury),
    freezeDefault: token.freezeDefault ?? false,
    kycDefault: token.kycDefault ?? false,
    isPaused: token.paused ?? false,
    keys,
    expirySeconds: BigInt(token.expiry ?? expirySeconds),
    autoRenewAccount: BigInt(token.autoRenewAccount ?? 0),
    autoRenewSeconds: BigInt(token.autoRenewPeriod ?? autoRenewSeconds),
    metadata: Buffer.from(token.metadata ?? '', 'hex'),
    fees,
  }
}

function keysOf(token: StatedToken): TokenFacts['keys'] {
  return {
    admin: keyBytes(token.adminKey),
    kyc: keyBytes(token.kycKey),
    freeze: keyBytes(token.freezeKey),
    wipe: keyBytes(token.wipeKey),
    supply: keyBytes(token.supplyKey),
    feeSchedule: keyBytes(token.feeScheduleKey),
    pause: keyBytes(token.pauseKey),
    metadata: keyBytes(token.metadataKey),
  }
}

function feesOf(fees: readonly StatedFee[]): FeeFacts {
  const base = ({ collector }: StatedFee) => ({ collector: BigInt(collector), collectorsAreExempt: false })
  const fixed = ({ amount, token = 0 }: { readonly amount: number; readonly token?: number }) => ({
    amount: BigInt(amount),
    token: BigInt(token),
  })
  return {
    fixed: fees.flatMap((fee) => (fee.type === 'fixed' ? [{ ...base(fee), ...fixed(fee) }] : [])),
    fractional: fees.flatMap((fee) =>
      fee.type === 'fractional'
        ? [
            {
              ...base(fee),
              numerator: BigInt(fee.numerator),
              denominator: BigInt(fee.denominator),
              minimum: BigInt(fee.min),
              maximum: BigInt(fee.max),
              netOfTransfers: fee.netOfTransfers,
            },
          ]
        : [],
    ),
    royalty: fees.flatMap((fee) =>
      fee.type === 'royalty'
        ? [
            {
              ...base(fee),
              numerator: BigInt(fee.numerator),
              denominator: BigInt(fee.denominator),
              fallback: fee.fallback === undefined ? null : fixed(fee.fallback),
            },
          ]
        : [],
    ),
  }
}
