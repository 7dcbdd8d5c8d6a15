import type { HashRule } from '#src/domain/block-hash.ts'

/** `cutover`: record files first, then blocks. */
export type StreamForm = 'records' | 'blocks' | 'cutover'

/** Where a block node of the network listens, without TLS. */
export interface BlockNodeAddress {
  /** Text of an IPv4 address. */
  readonly ip: string
  readonly port: number
}

/** How often what happens. */
export interface Mix {
  /** Relative frequency of each kind by its name; a kind that is not named does not occur. */
  readonly weights: { readonly [kind: string]: number }
  /** Share of transactions that fail, 0 to 1. */
  readonly failureShare: number
  /** Share of transactions that are submitted to a second node, 0 to 1. */
  readonly duplicateShare: number
  /** Bring every kind once among the first transactions, whatever its weight. */
  readonly showEachKind: boolean
}

/** The options of a simulated network with every default filled in; see SimulatorOptions. */
export interface ResolvedOptions {
  readonly seed: string
  readonly nodes: number
  readonly stakes: readonly number[]
  readonly startTime: bigint
  readonly blockSeconds: number
  readonly transactionsPerSecond: number
  readonly accounts: number
  readonly mix: Mix
  readonly sidecars: boolean
  readonly firstBlockNumber: number
  readonly dayBlocks: number
  readonly stakeUpdateSeconds: number
  readonly addressBookUpdateBlocks: number
  readonly dataCopies: 'all' | 'one'
  readonly stream: StreamForm
  readonly cutoverSeconds: number
  readonly hashRule: HashRule
  readonly wrappedBlocks: boolean
  readonly stateProofs: boolean
  readonly recordVersion: string
  readonly blockVersion: string
  readonly blockNodes: readonly BlockNodeAddress[]
  readonly network: string
}
