/** Kinds of keys of a token, by the bit that contracts name each by. */
export const tokenKeyBits = {
  admin: 1n,
  kyc: 2n,
  freeze: 4n,
  wipe: 8n,
  supply: 16n,
  feeSchedule: 32n,
  pause: 64n,
  metadata: 128n,
} as const

export type TokenKeyKind = keyof typeof tokenKeyBits

/** Serialized keys; null where there is none. */
export type TokenKeys = Readonly<Record<TokenKeyKind, Uint8Array | null>>

interface FeeBase {
  /** Account that receives it. */
  readonly collector: bigint
  /** Nobody who receives fees of the token pays this one. */
  readonly collectorsAreExempt: boolean
}

export interface FixedFeeFacts extends FeeBase {
  readonly amount: bigint
  /** 0: hbar. */
  readonly token: bigint
}

export interface FractionalFeeFacts extends FeeBase {
  readonly numerator: bigint
  readonly denominator: bigint
  readonly minimum: bigint
  /** 0: no bound. */
  readonly maximum: bigint
  /** The sender pays it, beside what is transferred. */
  readonly netOfTransfers: boolean
}

export interface RoyaltyFeeFacts extends FeeBase {
  readonly numerator: bigint
  readonly denominator: bigint
  /** What the receiver pays who gives nothing for the NFT. */
  readonly fallback: Pick<FixedFeeFacts, 'amount' | 'token'> | null
}

export interface FeeFacts {
  readonly fixed: readonly FixedFeeFacts[]
  readonly fractional: readonly FractionalFeeFacts[]
  readonly royalty: readonly RoyaltyFeeFacts[]
}

/** A token that is there and not deleted. Ids are numbers of entities, 0 for nobody; amounts are in its smallest unit. */
export interface TokenFacts {
  readonly id: bigint
  readonly isNft: boolean
  readonly name: string
  readonly symbol: string
  readonly memo: string
  readonly decimals: bigint
  readonly totalSupply: bigint
  readonly hasMaxSupply: boolean
  readonly maxSupply: bigint
  readonly treasury: bigint
  readonly freezeDefault: boolean
  /** Whether accounts that it is associated with may use it without further ado. */
  readonly kycDefault: boolean
  readonly isPaused: boolean
  readonly keys: TokenKeys
  readonly expirySeconds: bigint
  readonly autoRenewAccount: bigint
  readonly autoRenewSeconds: bigint
  readonly metadata: Uint8Array
  readonly fees: FeeFacts
}

/** What an account has of a token that it is associated with. */
export interface RelationFacts {
  /** Of a token of NFTs their number. */
  readonly balance: bigint
  readonly isFrozen: boolean
  readonly isKycGranted: boolean
  /** Made by a transfer. */
  readonly isAutomatic: boolean
}

export interface NftFacts {
  readonly owner: bigint
  /** 0: nobody. */
  readonly spender: bigint
  readonly createdSeconds: bigint
  readonly metadata: Uint8Array
}

/** How many associations transfers may make for an account. */
export interface AssociationFacts {
  /** -1: any number. */
  readonly automaticMax: bigint
  readonly automatic: bigint
}

/** Tokens and who has and may have them, as of the instant of a call. Accounts and tokens are numbers of entities. */
export interface TokenLedger {
  token(id: bigint): Promise<TokenFacts | undefined>
  /** undefined where the account is not associated. */
  relation(token: bigint, account: bigint): Promise<RelationFacts | undefined>
  /** undefined where nobody has it. */
  nft(token: bigint, serial: bigint): Promise<NftFacts | undefined>
  /** Serial number of the newest NFT that was ever minted. */
  lastSerial(token: bigint): Promise<bigint>
  /** What is left of an allowance; token 0 stands for hbar. */
  allowance(owner: bigint, spender: bigint, token: bigint): Promise<bigint>
  approvedForAll(owner: bigint, spender: bigint, token: bigint): Promise<boolean>
  /** How much waits to be claimed; undefined where nothing does. Serial 0: of a fungible token. */
  airdrop(sender: bigint, receiver: bigint, token: bigint, serial: bigint): Promise<bigint | undefined>
  associations(account: bigint): Promise<AssociationFacts>
}
