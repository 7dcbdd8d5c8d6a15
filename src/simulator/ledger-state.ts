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
  tokens: Token[]
  topics: Topic[]
  contracts: Contract[]
  files: LedgerFile[]
  schedules: Schedule[]
  airdrops: Airdrop[]
  nodes: { id: number; account: number }[]
  registeredNodes: number[]
}

export interface Account {
  num: number
  balance: number
  /** true: an ECDSA secp256k1 key, false: Ed25519. */
  ecdsa: boolean
  /** Hex of the alias that the account was created with. */
  alias: string | null
  /** Hex of the EVM address that came with the alias. */
  evmAddress: string | null
  stakedNode: number | null
  /** Staking period up to which rewards were paid. */
  rewardedPeriod: number
  ethereumNonce: number
  hookId: number | null
}

export interface Token {
  num: number
  nft: boolean
  treasury: number
  supply: number
  paused: boolean
  frozen: number | null
  fee: { collector: number; tinybars: number } | { collector: number; percent: number } | null
  /** Balances of a fungible token by account number; an associated account may have 0. */
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

export interface Contract {
  num: number
  evmAddress: string
  nonce: number
  /** Hex of storage words by slot number. */
  slots: Record<string, string>
}

export interface LedgerFile {
  num: number
  deleted: boolean
}

export interface Schedule {
  num: number
  creator: number
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

export function emptyLedger(nodes: number, firstEntity: number): LedgerState {
  return {
    nextEntity: firstEntity,
    nextNodeId: nodes,
    nextRegisteredNodeId: 1,
    users: [],
    guests: [],
    tokens: [],
    topics: [],
    contracts: [],
    files: [],
    schedules: [],
    airdrops: [],
    nodes: [],
    registeredNodes: [],
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
