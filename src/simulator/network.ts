import { buildAddressBook, nodeKeys } from '#src/simulator/address-book.ts'
import { assembleBlock, type SimulatedBlock } from '#src/simulator/block-files.ts'
import { Emitter } from '#src/simulator/emitter.ts'
import type { LedgerObserver } from '#src/simulator/ledger-change.ts'
import type { LedgerState } from '#src/simulator/ledger-state.ts'
import { resolveOptions, type SimulatorOptions } from '#src/simulator/options.ts'
import { Prng, type PrngState } from '#src/simulator/prng.ts'
import type { ResolvedOptions } from '#src/simulator/resolved-options.ts'
import type { NodeKey } from '#src/simulator/rsa-keys.ts'
import { firstRunningHash } from '#src/simulator/running-hash.ts'
import { addNanos, instantOf } from '#src/simulator/time.ts'
import { Traffic, type TrafficState } from '#src/simulator/traffic.ts'
import { World } from '#src/simulator/world.ts'

/** Everything that the next block depends on, besides the options; survives JSON. */
export interface NetworkState {
  readonly nextNumber: number
  /** Nanoseconds since the epoch, as text. */
  readonly nextStart: string
  /** Hex of the running hash after the newest block. */
  readonly runningHash: string
  readonly transactionCount: number
  readonly prng: PrngState
  readonly ledger: LedgerState
  readonly traffic: TrafficState
}

/**
 * A network that runs as fast as it is asked to: no files, no clock, no chance but its seed. Continuing from a saved state
 * with the same options gives the same bytes as never having stopped.
 */
export interface SimulatedNetwork {
  readonly options: ResolvedOptions
  /** The book that verifies the first block: NodeAddressBook bytes. */
  readonly addressBook: Uint8Array
  /** Start of the period that the next block covers, in nanoseconds. */
  readonly nextStart: bigint
  /** Transactions in all blocks so far, children included. */
  readonly transactionCount: number
  nextBlock(): SimulatedBlock
  /** Lets time pass without blocks; `start` must not be before `nextStart`. */
  skipTo(start: bigint): void
  /** The state after the newest block. It shares objects with the network: serialize it before the next block. */
  save(): NetworkState
}

/** An observer is told everything that the network executes from here on; give it one from the first block. */
export function createNetwork(
  options: SimulatorOptions = {},
  saved?: NetworkState,
  observer?: LedgerObserver,
): SimulatedNetwork {
  return new Network(resolveOptions(options), saved, observer)
}

const dayNanos = 86_400_000_000_000n

class Network implements SimulatedNetwork {
  readonly options: ResolvedOptions
  readonly addressBook: Uint8Array
  readonly #keys: readonly NodeKey[]
  readonly #world: World
  readonly #traffic: Traffic
  #number: number
  #start: bigint
  #runningHash: Uint8Array
  #transactionCount: number

  constructor(options: ResolvedOptions, saved: NetworkState | undefined, observer: LedgerObserver | undefined) {
    this.options = options
    this.#keys = nodeKeys(options)
    this.addressBook = buildAddressBook(options, this.#keys, 0)
    const prng = new Prng(saved?.prng ?? `${options.seed}/traffic`)
    this.#world = new World(options, prng, saved && structuredClone(saved.ledger), observer)
    const book = (edition: number) => buildAddressBook(options, this.#keys, edition)
    this.#traffic = new Traffic(this.#world, book, saved?.traffic)
    this.#number = saved?.nextNumber ?? options.firstBlockNumber
    this.#start = saved ? BigInt(saved.nextStart) : options.startTime
    this.#runningHash = saved ? Buffer.from(saved.runningHash, 'hex') : firstRunningHash
    this.#transactionCount = saved?.transactionCount ?? 0
  }

  get nextStart(): bigint {
    return this.#start
  }

  get transactionCount(): number {
    return this.#transactionCount
  }

  skipTo(start: bigint): void {
    if (start < this.#start) throw new RangeError(`cannot go back from ${this.#start} to ${start}`)
    this.#start = start
  }

  nextBlock(): SimulatedBlock {
    const start = instantOf(this.#start)
    this.#world.beginBlock(addNanos(start, 1_000))
    const emitter = new Emitter(this.#world, this.options.mix.duplicateShare)
    this.#traffic.fill(emitter, start, this.#number - this.options.firstBlockNumber)
    const { block, endHash } = assembleBlock(this.options, this.#keys, {
      number: this.#number,
      startHash: this.#runningHash,
      items: emitter.items,
      sidecars: this.options.sidecars ? emitter.sidecars : [],
      first: emitter.first ?? start,
    })
    this.#runningHash = endHash
    this.#number += 1
    this.#start = this.#startAfter(this.#start)
    this.#transactionCount += emitter.items.length
    return block
  }

  /** Days end with a block of their own, so that what happens just before midnight is seen as well. */
  #startAfter(start: bigint): bigint {
    const { blockSeconds, dayBlocks, firstBlockNumber } = this.options
    const block = BigInt(Math.round(blockSeconds * 1e9))
    const next = start + block
    if (dayBlocks === 0 || (this.#number - firstBlockNumber) % dayBlocks !== 0) return next
    const lastOfDay = (next / dayNanos + 1n) * dayNanos - block
    return lastOfDay > next ? lastOfDay : next
  }

  save(): NetworkState {
    return {
      nextNumber: this.#number,
      nextStart: this.#start.toString(),
      runningHash: Buffer.from(this.#runningHash).toString('hex'),
      transactionCount: this.#transactionCount,
      prng: this.#world.prng.state,
      ledger: this.#world.state,
      traffic: this.#traffic.state,
    }
  }
}
