import { type HashRule, hashRules } from '#src/domain/block-hash.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { type MixPreset, resolveMix } from '#src/simulator/mix.ts'
import type { BlockNodeAddress, Mix, ResolvedOptions, StreamForm } from '#src/simulator/resolved-options.ts'

/** What makes a simulated network. The same options give the same bytes. */
export interface SimulatorOptions {
  /** Any text or number; the only source of chance. Default `ledger-history`. */
  readonly seed?: string | number
  /** Consensus nodes, 1 to 100, with the accounts 0.0.3, 0.0.4, ... Default 4. */
  readonly nodes?: number
  /** Stake of each node in hbar, as the node stake updates report it. Default: all nodes the same. */
  readonly stakes?: readonly number[]
  /** Nanoseconds since the epoch at which the first block begins. Default 2026-01-01T00:00:00Z. */
  readonly startTime?: bigint
  /** Seconds that a block covers, 0.1 to 3,600. Default 2. */
  readonly blockSeconds?: number
  /** Submitted transactions a second of ledger time, above 0; children come on top. Default 10. */
  readonly transactionsPerSecond?: number
  /** Users whose accounts are created in the first block, 10 to 1,000,000; few are busy, most are not. Default 200. */
  readonly accounts?: number
  /** A preset or weights per kind of transaction. Default `default`. */
  readonly mix?: MixPreset | Mix
  /** Write sidecar files for contract transactions. Default true. */
  readonly sidecars?: boolean
  /** Number of the first block. Default 0. */
  readonly firstBlockNumber?: number
  /**
   * Blocks after which ledger time jumps to the last block before midnight UTC, so that staking periods end often; 0 for
   * never. Not for networks in step with the clock. Default 0.
   */
  readonly dayBlocks?: number
  /** Seconds of ledger time between node stake updates, which also come in the first block. Default a day. */
  readonly stakeUpdateSeconds?: number
  /** Blocks between updates of the address book in file 0.0.102; 0 for none. Default 500. */
  readonly addressBookUpdateBlocks?: number
  /** `one`: only node 0 publishes data and sidecar files, the others just sign. Default `all`. */
  readonly dataCopies?: 'all' | 'one'
  /**
   * What the network publishes: record files, blocks, or blocks after record files (`cutover`). It tells the same history
   * whichever it is. Default `records`.
   */
  readonly stream?: StreamForm
  /** Seconds of ledger time from the start on after which blocks take over from record files. Default 60. */
  readonly cutoverSeconds?: number
  /** How the hash of a block is made. Default `sixteen`, as networks of today do it. */
  readonly hashRule?: HashRule
  /** Publish each record file as a block as well, with the nodes' signatures as its proof. Default: before a cutover. */
  readonly wrappedBlocks?: boolean
  /** Leave some blocks unsigned, to be proven by the next signed one together with which they are published. Default false. */
  readonly stateProofs?: boolean
  /**
   * Versions, `major.minor.patch`, that nodes claim in record files and in blocks. Default 0.73.0 in record files, 0.79.0
   * before a cutover; 0.80.0 in blocks.
   */
  readonly recordVersion?: string
  readonly blockVersion?: string
  /** Block nodes, which the first block registers; all that serve blocks by later registrations are among them. Default none. */
  readonly blockNodes?: readonly BlockNodeAddress[]
  /** Name of the network, below which its blocks lie in the bucket. Default `simulated`. */
  readonly network?: string
}

const defaultStakeHbar = 500_000_000
const streamForms: readonly StreamForm[] = ['records', 'blocks', 'cutover']

/** Fills in defaults; throws `config_invalid` naming every value that lies outside its range. */
export function resolveOptions(options: SimulatorOptions): ResolvedOptions {
  const nodes = options.nodes ?? 4
  const stream = options.stream ?? 'records'
  const resolved: ResolvedOptions = {
    seed: String(options.seed ?? 'ledger-history'),
    nodes,
    stakes: options.stakes ?? Array.from({ length: nodes }, () => defaultStakeHbar),
    startTime: options.startTime ?? 1_767_225_600_000_000_000n,
    blockSeconds: options.blockSeconds ?? 2,
    transactionsPerSecond: options.transactionsPerSecond ?? 10,
    accounts: options.accounts ?? 200,
    mix: resolveMix(options.mix ?? 'default'),
    sidecars: options.sidecars ?? true,
    firstBlockNumber: options.firstBlockNumber ?? 0,
    dayBlocks: options.dayBlocks ?? 0,
    stakeUpdateSeconds: options.stakeUpdateSeconds ?? 86_400,
    addressBookUpdateBlocks: options.addressBookUpdateBlocks ?? 500,
    dataCopies: options.dataCopies ?? 'all',
    stream,
    cutoverSeconds: options.cutoverSeconds ?? 60,
    hashRule: options.hashRule ?? 'sixteen',
    wrappedBlocks: options.wrappedBlocks ?? stream === 'cutover',
    stateProofs: options.stateProofs ?? false,
    recordVersion: options.recordVersion ?? (stream === 'cutover' ? '0.79.0' : '0.73.0'),
    blockVersion: options.blockVersion ?? '0.80.0',
    blockNodes: options.blockNodes ?? [],
    network: options.network ?? 'simulated',
  }
  const problems = problemsOf(resolved)
  if (problems.length > 0) {
    throw new LedgerError('config_invalid', `The simulated network cannot be built: ${problems.join('; ')}`, {
      problems,
    })
  }
  return resolved
}

function problemsOf(options: ResolvedOptions): string[] {
  const slots = options.transactionsPerSecond * options.blockSeconds
  const checks: [boolean, string][] = [
    [
      Number.isInteger(options.nodes) && within(options.nodes, 1, 100),
      `nodes ${options.nodes} is not a whole number from 1 to 100`,
    ],
    [options.stakes.length === options.nodes, `${options.stakes.length} stakes are given for ${options.nodes} nodes`],
    [
      options.stakes.every((stake) => within(stake, 0, 50_000_000_000)),
      'a stake is not between 0 and 50,000,000,000 hbar',
    ],
    [
      options.startTime > 0n && options.startTime < 9_000_000_000_000_000_000n,
      `start time ${options.startTime} is not after the epoch`,
    ],
    [within(options.blockSeconds, 0.1, 3_600), `block length ${options.blockSeconds} s is not between 0.1 and 3,600`],
    [options.transactionsPerSecond > 0, `transaction rate ${options.transactionsPerSecond} is not above 0`],
    [slots <= 200_000, `a block would hold ${slots} transactions, more than 200,000`],
    [
      options.transactionsPerSecond <= 100_000,
      `transaction rate ${options.transactionsPerSecond} is above 100,000 a second`,
    ],
    [
      Number.isInteger(options.accounts) && within(options.accounts, 10, 1_000_000),
      `accounts ${options.accounts} is not from 10 to 1,000,000`,
    ],
    [
      Number.isSafeInteger(options.firstBlockNumber) && options.firstBlockNumber >= 0,
      `first block ${options.firstBlockNumber} is negative`,
    ],
    [
      Number.isSafeInteger(options.dayBlocks) && options.dayBlocks >= 0,
      `${options.dayBlocks} blocks a day is not a whole number from 0`,
    ],
    [options.stakeUpdateSeconds >= 1, `stake update interval ${options.stakeUpdateSeconds} s is below 1`],
    [options.addressBookUpdateBlocks >= 0, `address book interval ${options.addressBookUpdateBlocks} is negative`],
    ...streamChecks(options),
  ]
  return checks.filter(([holds]) => !holds).map(([, problem]) => problem)
}

function streamChecks({
  stream,
  cutoverSeconds,
  hashRule,
  network,
  ...versions
}: ResolvedOptions): [boolean, string][] {
  return [
    [streamForms.includes(stream), `there is no stream ${stream}, only ${streamForms.join(', ')}`],
    [cutoverSeconds >= 0, `the cutover after ${cutoverSeconds} s would be in the past`],
    [hashRules.includes(hashRule), `there is no hash rule ${hashRule}, only ${hashRules.join(', ')}`],
    [/^[a-z0-9-]+$/.test(network), `the network's name ${network} is not of small letters, digits and dashes`],
    ...[versions.recordVersion, versions.blockVersion].map((version): [boolean, string] => [
      /^\d+\.\d+\.\d+$/.test(version),
      `the version ${version} is not like 0.80.0`,
    ]),
  ]
}

function within(value: number, least: number, most: number): boolean {
  return value >= least && value <= most
}
