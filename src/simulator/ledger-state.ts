import type { Message } from '#src/simulator/codec.ts'
import type { ContractCode } from '#src/simulator/evm/code.ts'

/**
 * What the simulated ledger remembers: only what keeps later records consistent, in plain JSON. Amounts are tinybars or
 * smallest token units and stay below 2^53. Lists of things that keep coming are bounded, so that a network may run for
 * months; what falls off a list still exists on the ledger, it is just never used again.
 */
export interface LedgerState {
  nextEntity: number
  nextNodeId: number
  nextRegisteredNodeId: number
  /** Ordered by activity: the first are the busiest. */
  users: Account[]
  /** Accounts created after the first block. */
  guests: Account[]
  /** Numbers of keys whose accounts were deleted: the alias that such a key makes is free again. */
  freedKeys: number[]
  nextKey: number
  /** UTC day since the epoch of the newest staking period that was paid for. */
  stakePeriodEnd: number
  /** Tinybars per hbar by node, by UTC day; of the last 366 periods. */
  rewardRates: Record<string, number[]>
  tokens: Token[]
  deletedTokens: Token[]
  topics: Topic[]
  contracts: Contract[]
  files: LedgerFile[]
  schedules: Schedule[]
  airdrops: Airdrop[]
  allowances: Allowance[]
  /** Those that take part in consensus first; they are never deleted. */
  nodes: { id: number; account: number }[]
  registeredNodes: number[]
  /** What the newest file of exchange rates says, as an ExchangeRateSet; null before there is one. */
  exchangeRates: Message | null
}

/** What an account or contract chose to stake to, and what it has coming. */
export interface Staking {
  /** -1: no longer to a node. */
  node: number | null
  /** 0: no longer to an account. */
  account: number | null
  decline: boolean
  /** UTC day since the epoch from which on rewards count. */
  periodStart: number | null
  /** As of the newest period's end; null until one ended while it staked to a node. */
  stake: { end: number; node: number; atStart: number; pending: number } | null
  /** Earned under the former choice; the transaction that changes the choice brings it. */
  owed: number
}

/** Someone with hbar: an account or a contract. */
export interface Holder {
  num: number
  balance: number
  /** null: never chose. */
  staking: Staking | null
  hooks: Hook[]
}

export interface Account extends Holder {
  /** Derives the key pair; the account's number unless the key was changed or came from an earlier account. */
  keyNum: number
  /** true: an ECDSA secp256k1 key, false: Ed25519. */
  ecdsa: boolean
  /** Created by its address alone; nobody has shown its key yet. */
  hollow: boolean
  /** Hex of the alias that the account was created with. */
  alias: string | null
  /** Hex of the EVM address that came with the alias. */
  evmAddress: string | null
  /** Automatic associations left; -1: unlimited. */
  autoSlots: number
  ethereumNonce: number
}

export interface Hook {
  id: number
  contract: number
  /** Hex of values by slot, both without leading zeros, cleared slots left out. */
  slots: Record<string, string>
}

export interface Token {
  num: number
  nft: boolean
  treasury: number
  supply: number
  paused: boolean
  frozen: number | null
  fee: { collector: number; tinybars: number } | { collector: number; percent: number } | null
  /** Balances, or numbers of NFTs, by account number; an associated account may have 0. */
  holders: Record<string, number>
  nfts: { serial: number; owner: number; spender: number | null }[]
  nextSerial: number
}

export interface Topic {
  num: number
  sequence: number
  /** Hex of the running hash after the newest message. */
  runningHash: string
  fee: { collector: number; tinybars: number } | null
}

export interface Contract extends Holder {
  evmAddress: string
  /** Number of the account whose key may change it; null: nobody's. */
  admin: number | null
  /** How many contracts it made, and one. */
  nonce: number
  /** Those that earlier releases saved have not all of the following, and are not called any more. */
  code: ContractCode
  /** Hex of values by slot, slots as 64 digits, values without leading zeros, cleared slots left out. */
  slots: Record<string, string>
  /** Units by number of the holder, and of what an owner allows, by `owner/spender`. */
  token: { holders: Record<string, number>; allowances: Record<string, number> } | null
}

export interface LedgerFile {
  num: number
  deleted: boolean
}

export interface Schedule {
  num: number
  creator: number
  /** What it does when executed: pay the receiver, or create an account for the payer. */
  action: 'transfer' | 'create'
  payer: number
  receiver: number
  amount: number
  validStart: { seconds: number; nanos: number }
}

export interface Airdrop {
  token: number
  sender: number
  receiver: number
  serial: number | null
  amount: number
}

/** What a spender may take from an owner. */
export interface Allowance {
  owner: number
  spender: number
  /** 0: hbar. */
  token: number
  left: number
}

/** Keys that replace others are numbered from here on, far above all entities. */
const firstOtherKey = 1_000_000_000_000

export function emptyLedger(nodes: number, firstEntity: number): LedgerState {
  return {
    nextEntity: firstEntity,
    nextNodeId: nodes,
    nextRegisteredNodeId: 1,
    users: [],
    guests: [],
    freedKeys: [],
    nextKey: firstOtherKey,
    stakePeriodEnd: -1,
    rewardRates: {},
    tokens: [],
    deletedTokens: [],
    topics: [],
    contracts: [],
    files: [],
    schedules: [],
    airdrops: [],
    allowances: [],
    nodes: [],
    registeredNodes: [],
    exchangeRates: null,
  }
}

/** Adds to a bounded list; the oldest entry makes room. */
export function remember<T>(list: T[], entry: T, most: number): void {
  list.push(entry)
  if (list.length > most) list.shift()
}

export function forget<T>(list: T[], entry: T): void {
  const index = list.indexOf(entry)
  if (index >= 0) list.splice(index, 1)
}
