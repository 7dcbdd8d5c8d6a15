import type { Movement, TokenMovement } from '#src/simulator/movement.ts'
import type { Instant } from '#src/simulator/time.ts'

export type EntityType = 'ACCOUNT' | 'CONTRACT' | 'FILE' | 'SCHEDULE' | 'TOKEN' | 'TOPIC'

/** An entity of any type. Bytes are lower-case hex; what a type does not have stays null. */
export interface Entity {
  readonly type: EntityType
  /** Nanoseconds; null for what was there before the log began. */
  readonly createdAt: bigint | null
  readonly deleted: boolean
  readonly memo: string
  /** A serialized Key, of files a serialized KeyList. `3200` is the empty key list: nobody's key. */
  readonly key: string | null
  readonly alias: string | null
  readonly evmAddress: string | null
  /** Nanoseconds. */
  readonly expirationTime: bigint | null
  readonly autoRenewSeconds: number | null
  readonly autoRenewAccount: number | null
  /** -1: unlimited. */
  readonly maxAutomaticAssociations: number | null
  readonly receiverSigRequired: boolean | null
  /** null: never chosen, -1: no longer. */
  readonly stakedNode: number | null
  /** null: never chosen, 0: no longer. */
  readonly stakedAccount: number | null
  readonly declineReward: boolean
  /** UTC day since the epoch. */
  readonly stakePeriodStart: number | null
  readonly ethereumNonce: number
  readonly delegationAddress: string | null
  /** Who got what was left when it was deleted. */
  readonly obtainer: number | null
}

/** A token at an account. */
export interface Relation {
  readonly associated: boolean
  readonly automatic: boolean
  /** Nanoseconds. */
  readonly createdAt: bigint | null
  /** Smallest units, or the number of NFTs. */
  readonly balance: bigint
  readonly frozen: boolean | null
  readonly kycGranted: boolean | null
}

export interface TokenFacts {
  readonly nft: boolean
  readonly treasury: number
  readonly supply: bigint
  readonly decimals: number
  readonly name: string
  readonly symbol: string
  /** Hex. */
  readonly metadata: string
  readonly paused: boolean
  readonly initialSupply: bigint
  /** 0: without limit. */
  readonly maxSupply: bigint
  /** A serialized Key, hex: that of everything but the administration. */
  readonly key: string | null
}

/** Fixed fees in tinybars, and shares of what is transferred. */
export interface TokenFees {
  readonly fees: readonly (
    | { readonly collector: number; readonly tinybars: number }
    | { readonly collector: number; readonly percent: number }
  )[]
}

export interface NftFacts {
  /** null once it is burned or wiped. */
  readonly owner: number | null
  readonly spender: number | null
  readonly delegatingSpender: number | null
  /** Hex. */
  readonly metadata: string
  /** Nanoseconds. */
  readonly createdAt: bigint | null
}

/** What a spender may take from an owner. */
export interface AllowanceFacts {
  readonly granted: bigint
  readonly left: bigint
  /** Nanoseconds; when it was granted. */
  readonly createdAt: bigint | null
}

export interface AirdropFacts {
  /** Smallest units that wait for a claim together; null for an NFT. */
  readonly amount: bigint | null
  readonly pending: boolean
}

export interface HookFacts {
  readonly contract: number
  readonly adminKey: string | null
  readonly createdAt: bigint | null
  readonly deleted: boolean
}

export interface HookSlot {
  /** Hex without leading zero bytes; empty when the slot was cleared. */
  readonly value: string
}

export interface ContractSlot {
  /** Hex without leading zeros; empty when the slot was cleared. */
  readonly value: string
}

/** What someone has of a token that is a contract. */
export interface ContractToken {
  /** Of the holder, 40 hex digits. */
  readonly address: string
  readonly balance: bigint
}

/** An Ethereum transaction that reached consensus. */
export interface EthereumFacts {
  readonly type: number
  /** null: signed for every chain. */
  readonly chainId: number | null
  readonly sender: number
  readonly nonce: number
  readonly gasLimit: number
  /** Tinybars. */
  readonly value: number
  readonly result: string
  /** Whether it ran, which counts as one of the sender's transactions. */
  readonly counted: boolean
}

export interface EndpointFacts {
  readonly domainName: string
  /** Dotted text; empty when there is a domain name. */
  readonly ipAddress: string
  readonly port: number
}

export interface NodeFacts {
  readonly account: number
  readonly adminKey: string | null
  readonly declineReward: boolean
  readonly grpcProxyEndpoint: EndpointFacts | null
  readonly associatedRegisteredNodes: readonly number[]
  readonly createdAt: bigint | null
  readonly deleted: boolean
}

export type RegisteredEndpointKind = 'BLOCK_NODE' | 'GENERAL_SERVICE' | 'MIRROR_NODE' | 'RPC_RELAY'

export interface RegisteredEndpointFacts {
  readonly kind: RegisteredEndpointKind
  readonly domainName: string | null
  /** Hex of 4 or 16 bytes. */
  readonly ipAddress: string | null
  readonly port: number
  readonly requiresTls: boolean
  /** Numbers of BlockNodeApi; empty for other kinds. */
  readonly apis: readonly number[]
  /** Of a general service. */
  readonly description: string | null
}

export interface RegisteredNodeFacts {
  readonly adminKey: string | null
  readonly description: string
  readonly endpoints: readonly RegisteredEndpointFacts[]
  readonly createdAt: bigint | null
  readonly deleted: boolean
}

/** What an account stakes and is due, as of the end of a staking period. */
export interface AccountStake {
  /** UTC day since the epoch. */
  readonly endPeriod: number
  /** -1: none. */
  readonly nodeAtStart: number
  /** Tinybars. */
  readonly stakeAtStart: bigint
  readonly stakedToMe: bigint
  readonly pendingReward: bigint
}

export interface NodeStakeFacts {
  readonly rewardRate: number
  readonly stake: bigint
  readonly stakeRewarded: bigint
  readonly stakeNotRewarded: bigint
  readonly minStake: bigint
  readonly maxStake: bigint
}

/** Facts of a staking period's end. */
export interface StakePeriodFacts {
  readonly endPeriod: number
  /** By node id. */
  readonly nodes: ReadonlyMap<number, NodeStakeFacts>
}

export interface AddressBookFacts {
  /** The serialized NodeAddressBook, hex. */
  readonly book: string
}

/** What only topics have. Keys are serialized Keys, hex. */
export interface TopicFacts {
  readonly adminKey: string | null
  readonly submitKey: string | null
  readonly feeScheduleKey: string | null
  readonly feeExemptKeys: readonly string[]
}

/** Fixed fees in tinybars. */
export interface TopicFees {
  readonly fees: readonly { readonly tinybars: number; readonly collector: number }[]
}

/** A message of a topic, true since its consensus time. Bytes are hex. */
export interface MessageFacts {
  readonly message: string
  readonly payer: number
  readonly runningHash: string
  /** Of a chunk: its number and that of all, and the transaction that brought the first. */
  readonly chunk: {
    readonly number: number
    readonly total: number
    readonly payer: number
    readonly validStart: Instant
  } | null
}

/** A schedule; its row changes when it runs. */
export interface ScheduleFacts {
  readonly creator: number
  readonly payer: number
  /** The serialized SchedulableTransactionBody, hex. */
  readonly body: string
  readonly executed: boolean
}

/** The public keys, hex, that one transaction signed a schedule with. */
export interface ScheduleSignatures {
  readonly keys: readonly string[]
}

export interface NetworkFileFacts {
  /** What can be read of the file, hex. */
  readonly contents: string
}

/** The kinds of state, each a table from a text key to a row. Times are nanoseconds of consensus. */
export interface LedgerTables {
  /** By number. */
  readonly entities: Entity
  /** By `account/token`. */
  readonly relations: Relation
  /** By number. */
  readonly tokens: TokenFacts
  readonly tokenFees: TokenFees
  /** By `token/serial`. */
  readonly nfts: NftFacts
  /** By `owner/spender/token`, 0 for hbar. */
  readonly allowances: AllowanceFacts
  /** By `sender/receiver/token/serial`, 0 for a fungible token. */
  readonly airdrops: AirdropFacts
  /** Approvals for all serials, by `owner/spender/token`. */
  readonly nftAllowances: { readonly approved: boolean }
  /** By hex of a 20-byte address or a serialized key: who has it now. */
  readonly aliases: { readonly num: number | null }
  /** By `owner/hook id`. */
  readonly hooks: HookFacts
  /** By `owner/hook id/slot`, the slot as 64 hex digits. */
  readonly hookSlots: HookSlot
  /** Storage of contracts, by `contract/slot`, the slot as 64 hex digits. */
  readonly contractSlots: ContractSlot
  /** By `contract/holder`. */
  readonly contractTokens: ContractToken
  /** By hash, 64 hex digits. */
  readonly ethereum: EthereumFacts
  /** By number. */
  readonly nodes: NodeFacts
  readonly registeredNodes: RegisteredNodeFacts
  /** By account number. */
  readonly stakes: AccountStake
  /** One row, by ``. */
  readonly stakePeriod: StakePeriodFacts
  /** By file number, 101 or 102. */
  readonly addressBooks: AddressBookFacts
  /** By number. */
  readonly topics: TopicFacts
  readonly topicFees: TopicFees
  /** By `topic/number of the message`. */
  readonly messages: MessageFacts
  /** By number. */
  readonly schedules: ScheduleFacts
  /** By `schedule/number of the transaction that signed`, from 0, which is the creation. */
  readonly scheduleSignatures: ScheduleSignatures
  /** By file number: 111, the fee schedules, and 112, the exchange rates. */
  readonly networkFiles: NetworkFileFacts
}

export type TableName = keyof LedgerTables

/** Sets fields of one row. `fresh`: of a row that begins now, whatever was there under its key. */
export type LedgerChange = {
  readonly [T in TableName]: {
    readonly table: T
    readonly key: string
    readonly set: Partial<LedgerTables[T]>
    readonly fresh?: boolean
  }
}[TableName]

/** One item of the stream and all that it changed, hbar and tokens as the record lists them. */
export interface ExecutedItem {
  readonly time: Instant
  /** Name of the body's data field. */
  readonly kind: string
  readonly success: boolean
  readonly hbar: readonly Movement[]
  readonly tokens: readonly TokenMovement[]
  /** Part of `hbar` already. */
  readonly rewards: readonly Movement[]
  readonly changes: readonly LedgerChange[]
}

/** Is told what a network executes, in consensus order, as it happens. A network without one keeps no history. */
export interface LedgerObserver {
  executed(item: ExecutedItem): void
}
