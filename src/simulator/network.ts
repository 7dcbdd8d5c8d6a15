import { LedgerError } from '#src/domain/errors.ts'
import { buildAddressBook, nodeKeys } from '#src/simulator/address-book.ts'
import { assembleBlock, type SimulatedBlock } from '#src/simulator/block-files.ts'
import { bookSystemTransfers, type SystemBalances } from '#src/simulator/blocks/account-values.ts'
import { BlockFamilies } from '#src/simulator/blocks/block-families.ts'
import type { BlockSigner } from '#src/simulator/blocks/block-signer.ts'
import { BlockStream, type BlockStreamState } from '#src/simulator/blocks/block-stream.ts'
import { encode, type Message } from '#src/simulator/codec.ts'
import type { Emitted, TransactionSink } from '#src/simulator/emitted.ts'
import { Emitter } from '#src/simulator/emitter.ts'
import type { LedgerObserver } from '#src/simulator/ledger-change.ts'
import type { LedgerState } from '#src/simulator/ledger-state.ts'
import { resolveOptions, type SimulatorOptions } from '#src/simulator/options.ts'
import { Prng, type PrngState } from '#src/simulator/prng.ts'
import type { Item } from '#src/simulator/record-file.ts'
import type { ResolvedOptions } from '#src/simulator/resolved-options.ts'
import type { NodeKey } from '#src/simulator/rsa-keys.ts'
import { firstRunningHash } from '#src/simulator/running-hash.ts'
import { addNanos, type Instant, instantOf } from '#src/simulator/time.ts'
import { Traffic, type TrafficState } from '#src/simulator/traffic.ts'
import { World } from '#src/simulator/world.ts'

/** Everything that the next block depends on, besides the options; survives JSON. */
export interface NetworkState {
  readonly nextNumber: number
  /** Nanoseconds since the epoch, as text. */
  readonly nextStart: string
  /** Hex of the running hash after the newest record file. */
  readonly runningHash: string
  readonly transactionCount: number
  readonly prng: PrngState
  readonly ledger: LedgerState
  readonly traffic: TrafficState
  /** Of a network that writes blocks, or will. */
  readonly blocks?: BlockStreamState
  /** Number of the first block after the record files; absent before. */
  readonly firstBlock?: number
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
  readonly nextNumber: number
  /** Transactions in all blocks so far, children included. */
  readonly transactionCount: number
  /** Number of the first block that follows on record files; undefined as long as there is none. */
  readonly firstBlock: number | undefined
  nextBlock(): Promise<SimulatedBlock>
  /** Lets time pass without blocks; `start` must not be before `nextStart`. */
  skipTo(start: bigint): void
  /** The state after the newest block. It shares objects with the network: serialize it before the next block. */
  save(): NetworkState
}

/**
 * An observer is told everything that the network executes from here on; give it one from the first block. The signer is the
 * ledger of the network: one that writes blocks needs it, one that writes record files publishes it in the first of them.
 * Throws `config_invalid` without it where it is needed.
 */
export function createNetwork(
  options: SimulatorOptions = {},
  saved?: NetworkState,
  observer?: LedgerObserver,
  signer?: BlockSigner,
): SimulatedNetwork {
  const resolved = resolveOptions(options)
  const { stream } = resolved
  if (stream !== 'records' && !signer)
    throw new LedgerError('config_invalid', `A network with the stream ${stream} needs a ledger to sign blocks`, {
      stream,
    })
  return new Network(resolved, saved, observer, signer)
}

const dayNanos = 86_400_000_000_000n

class Network implements SimulatedNetwork {
  readonly options: ResolvedOptions
  readonly addressBook: Uint8Array
  readonly #keys: readonly NodeKey[]
  readonly #world: World
  readonly #traffic: Traffic
  readonly #blocks: BlockStream | undefined
  #number: number
  #start: bigint
  #runningHash: Uint8Array
  #transactionCount: number
  #firstBlock: number | undefined

  constructor(
    options: ResolvedOptions,
    saved: NetworkState | undefined,
    observer: LedgerObserver | undefined,
    signer: BlockSigner | undefined,
  ) {
    this.options = options
    this.#keys = nodeKeys(options)
    this.addressBook = buildAddressBook(options, this.#keys, 0)
    const prng = new Prng(saved?.prng ?? `${options.seed}/traffic`)
    const state = saved && structuredClone(saved.ledger)
    this.#world = new World(options, prng, { state, observer, publication: signer?.publication })
    const book = (edition: number) => buildAddressBook(options, this.#keys, edition)
    this.#traffic = new Traffic(this.#world, book, saved?.traffic)
    const writesBlocks = options.stream !== 'records' || options.wrappedBlocks
    this.#blocks = writesBlocks ? new BlockStream(options, signer, saved?.blocks) : undefined
    this.#number = saved?.nextNumber ?? options.firstBlockNumber
    this.#start = saved ? BigInt(saved.nextStart) : options.startTime
    this.#runningHash = saved ? Buffer.from(saved.runningHash, 'hex') : firstRunningHash
    this.#transactionCount = saved?.transactionCount ?? 0
    this.#firstBlock = saved?.firstBlock
  }

  get nextStart(): bigint {
    return this.#start
  }

  get nextNumber(): number {
    return this.#number
  }

  get transactionCount(): number {
    return this.#transactionCount
  }

  get firstBlock(): number | undefined {
    return this.#firstBlock
  }

  skipTo(start: bigint): void {
    if (start < this.#start) throw new RangeError(`cannot go back from ${this.#start} to ${start}`)
    this.#start = start
  }

  async nextBlock(): Promise<SimulatedBlock> {
    const start = instantOf(this.#start)
    this.#world.beginBlock(this.#number, addNanos(start, 1_000))
    const block = await (this.#isRecordFile() ? this.#recordFile(start) : this.#block(start))
    this.#number += 1
    this.#start = this.#startAfter(this.#start)
    this.#transactionCount += block.transactionCount
    return block
  }

  /** Once a block was written, no record file follows. */
  #isRecordFile(): boolean {
    const { stream, startTime, cutoverSeconds } = this.options
    if (stream !== 'cutover') return stream === 'records'
    if (this.#firstBlock !== undefined) return false
    const isBefore = this.#start < startTime + BigInt(Math.round(cutoverSeconds * 1e9))
    if (!isBefore) this.#firstBlock = this.#number
    return isBefore
  }

  async #recordFile(start: Instant): Promise<SimulatedBlock> {
    const sink = new RecordItems(this.#blocks?.balances)
    const { first = start } = await this.#fill(sink, start)
    const { block, endHash, wrappable } = assembleBlock(this.options, this.#keys, {
      number: this.#number,
      startHash: this.#runningHash,
      items: sink.items,
      sidecars: this.options.sidecars ? sink.sidecars : [],
      first,
    })
    this.#runningHash = endHash
    const wrapped = this.#blocks?.wrap(wrappable)
    return wrapped && this.options.wrappedBlocks ? { ...block, files: [...block.files, wrapped] } : block
  }

  async #block(start: Instant): Promise<SimulatedBlock> {
    const blocks = this.#blocks
    if (!blocks) throw new TypeError('a network of record files writes no blocks')
    const sink = new BlockFamilies(this.#world, blocks.balances)
    const { count: transactionCount } = await this.#fill(sink, start)
    const newestEntity = this.#world.state.nextEntity - 1
    return blocks.write({ number: this.#number, start, families: sink.families, transactionCount, newestEntity })
  }

  async #fill(sink: TransactionSink, start: Instant): Promise<Emitter> {
    const emitter = new Emitter(this.#world, sink, this.options.mix.duplicateShare)
    await this.#traffic.fill(emitter, start, this.#number - this.options.firstBlockNumber)
    return emitter
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
      ...(this.#blocks ? { blocks: this.#blocks.save } : {}),
      ...(this.#firstBlock === undefined ? {} : { firstBlock: this.#firstBlock }),
    }
  }
}

/** What reaches consensus as the items and sidecar records of a record file. */
class RecordItems implements TransactionSink {
  readonly items: Item[] = []
  readonly sidecars: Message[] = []
  readonly #balances: SystemBalances | undefined

  /** Keeps the balances up to date for blocks that come later. */
  constructor(balances?: SystemBalances) {
    this.#balances = balances
  }

  add({ submission, time, signed, record }: Emitted): void {
    if (this.#balances) bookSystemTransfers(this.#balances, record['transferList'] as Message)
    this.items.push({
      transaction: encode('proto.Transaction', { signedTransactionBytes: signed }),
      record: encode('proto.TransactionRecord', record),
    })
    for (const sidecar of submission.sidecars ?? []) this.sidecars.push({ consensusTimestamp: time, ...sidecar })
  }

  /** A record file has no order of families. */
  endFamily(): void {}
}
