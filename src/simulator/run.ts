import { setTimeout as wait } from 'node:timers/promises'
import { LedgerError } from '#src/domain/errors.ts'
import { type Clock, systemClock } from '#src/ports/clock.ts'
import type { SimulatedBlock } from '#src/simulator/block-files.ts'
import type { BlockSigner } from '#src/simulator/blocks/block-signer.ts'
import { KeptBlocks } from '#src/simulator/kept-blocks.ts'
import type { LedgerObserver } from '#src/simulator/ledger-change.ts'
import { createNetwork, type SimulatedNetwork } from '#src/simulator/network.ts'
import { NetworkFolder, type PutFile } from '#src/simulator/network-folder.ts'
import { resolveOptions, type SimulatorOptions } from '#src/simulator/options.ts'
import type { ResolvedOptions } from '#src/simulator/resolved-options.ts'

export interface RunSimulatorOptions {
  /** Root of the bucket to write; made when it is missing. */
  readonly folder: string
  readonly options?: SimulatorOptions
  /** true: a block whenever its period is over, until aborted. false (default): as fast as possible, until a limit. */
  readonly paced?: boolean
  /** Ends the run after the current block. */
  readonly signal?: AbortSignal
  readonly clock?: Clock
  /** Called after all files of a block are in place. */
  readonly onBlock?: (block: SimulatedBlock) => void
  /** Older blocks are deleted; 0 keeps all. Default 5,000 when paced, else 0. */
  readonly keepBlocks?: number
  /** Ends the run after this many new blocks. */
  readonly blocks?: number
  /** Ends the run with the block that brings the new transactions to this number. */
  readonly transactions?: number
  /** Is told everything that this run executes; keeps the whole story of a network only in a folder that is new. */
  readonly observer?: LedgerObserver
  /** The ledger of the network; one that writes blocks needs it. The same one each time. */
  readonly signer?: BlockSigner | undefined
  /** Replaces the way of writing files and of waiting, for tests. */
  readonly putFile?: PutFile
  readonly sleep?: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>
}

/** What a run added. */
export interface SimulatorSummary {
  readonly blocks: number
  readonly transactions: number
}

const keepBlocksPaced = 5_000
/** Behind the clock by more blocks than this, a paced network lets the time go instead of making up for it. */
const blocksBehindMost = 5
const blocksPerSave = 50

/**
 * Writes a simulated network into a folder, or goes on with the one that is there. A kill at any instant loses nothing:
 * what the saved state has not seen is made again with the same bytes. Throws `data_folder_other_network` when the folder
 * holds another network, `disk_full` and `data_folder_unusable` when it cannot be written.
 */
export async function runSimulator(run: RunSimulatorOptions): Promise<SimulatorSummary> {
  const { paced = false, clock = systemClock, signal } = run
  const options = withStart(run.options ?? {}, paced, clock)
  if (paced && options.dayBlocks > 0)
    throw new LedgerError('config_invalid', 'A network in step with the clock cannot jump from day to day', {})
  const folder = new NetworkFolder(run.folder, run.putFile)
  const network = await openNetwork(folder, options, run)
  const kept = new KeptBlocks(folder, network, run.keepBlocks ?? (paced ? keepBlocksPaced : 0))
  let [blocks, transactions] = [0, 0]
  while (!signal?.aborted && blocks < (run.blocks ?? Infinity) && transactions < (run.transactions ?? Infinity)) {
    if (paced && !(await periodIsOver(network, clock, run))) break
    // The time of a paced block depends on the clock, so it is on disk before the block is.
    if (paced || blocks % blocksPerSave === 0) folder.save({ options: network.options, state: network.save() })
    const block = await network.nextBlock()
    folder.writeBlock(block)
    blocks += 1
    transactions += block.transactionCount
    kept.add(block)
    run.onBlock?.(block)
    if (!paced) await new Promise(setImmediate)
  }
  folder.save({ options: network.options, state: network.save() })
  return { blocks, transactions }
}

/** A paced network without a start of its own begins two blocks ago, so that there is something to read at once. */
function withStart(options: SimulatorOptions, paced: boolean, clock: Clock): ResolvedOptions {
  const resolved = resolveOptions(options)
  if (!paced || options.startTime !== undefined) return resolved
  const block = blockNanos(resolved)
  return { ...resolved, startTime: aligned(clock, block) - 2n * block }
}

/** The network where the folder's files end. Blocks that the saved state has not seen are made again, as they were. */
async function openNetwork(
  folder: NetworkFolder,
  options: ResolvedOptions,
  { observer, signer }: Pick<RunSimulatorOptions, 'observer' | 'signer'>,
): Promise<SimulatedNetwork> {
  const saved = folder.load(options)
  if (!saved) {
    const fresh = createNetwork(options, undefined, observer, signer)
    folder.create({ options, state: fresh.save() }, fresh.addressBook, signer?.publication)
    return fresh
  }
  const isThere = newestOf(folder, options)
  let network = createNetwork(saved.options, saved.state, undefined, signer)
  let state = JSON.stringify(saved.state)
  for (let block = await network.nextBlock(); isThere(block); block = await network.nextBlock()) {
    folder.writeBlock(block)
    state = JSON.stringify(network.save())
  }
  // The last block was only made to see which one it is; options such as the rate may have changed since the saved ones.
  network = createNetwork(
    { ...options, startTime: saved.options.startTime },
    JSON.parse(state) as typeof saved.state,
    observer,
    signer,
  )
  folder.save({ options: network.options, state: network.save() })
  return network
}

/** Whether a block, or one after it, is in the folder at least in part: blocks come in the order of their numbers. */
function newestOf(folder: NetworkFolder, { network }: ResolvedOptions): (block: SimulatedBlock) => boolean {
  const newestRecord = folder.recordNames().at(-1)
  const newestNumber = folder.newestBlockNumber(network)
  return ({ stream, name, number }) =>
    (newestNumber !== undefined && number <= newestNumber) ||
    (stream === 'records' && newestRecord !== undefined && name <= newestRecord)
}

/** Waits for the end of the next block's period; false when the run was aborted meanwhile. */
async function periodIsOver(
  network: SimulatedNetwork,
  clock: Clock,
  { signal, sleep = sleepUnlessAborted }: RunSimulatorOptions,
): Promise<boolean> {
  const block = blockNanos(network.options)
  const now = BigInt(clock.now()) * 1_000_000n
  const behind = now - network.nextStart - block
  if (behind > BigInt(blocksBehindMost) * block) network.skipTo(aligned(clock, block) - block)
  for (;;) {
    if (signal?.aborted) return false
    const left = network.nextStart + block - BigInt(clock.now()) * 1_000_000n
    if (left <= 0n) return true
    await sleep(Math.min(Number(left / 1_000_000n) + 1, 60_000), signal)
  }
}

async function sleepUnlessAborted(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await wait(milliseconds, undefined, signal ? { signal } : {})
  } catch (error) {
    if (!signal?.aborted) throw error
  }
}

function blockNanos({ blockSeconds }: ResolvedOptions): bigint {
  return BigInt(Math.round(blockSeconds * 1e9))
}

/** The newest multiple of the block length that is not after now. */
function aligned(clock: Clock, block: bigint): bigint {
  const now = BigInt(clock.now()) * 1_000_000n
  return now - (now % block)
}
