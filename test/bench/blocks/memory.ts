import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { roleHeaps } from '#src/cli/roles/role.ts'
import { serveBlocks } from '#src/simulator/block-node/serve-blocks.ts'
import { mixPresets } from '#src/simulator/mix.ts'
import { createNetwork } from '#src/simulator/network.ts'
import { createSimulatedLedger } from '#src/simulator/tss/simulated-ledger.ts'
import { bytesOf, HeldBlocks } from '#test/bench/blocks/held-blocks.ts'
import { simulatedNetwork } from '#test/bench/blocks/packed-blocks.ts'
import { runCli } from '#test/bench/cli-process.ts'
import type { StageOptions, StageResult } from '#test/bench/stages.ts'

/** A block, and the limits with which it is imported. */
export interface LargeBlock {
  /** What its transactions are: many small ones, or fewer large ones. */
  readonly of: keyof typeof mixes
  /** Transactions submitted in it. */
  readonly transactions: number
  /** Largest message, and largest block; both are nearly that large. */
  readonly messageMiB: number
  readonly blockMiB: number
}

const mixes = {
  payments: 'transfers',
  deployments: { ...mixPresets.transfers, weights: { contractCreate: 1, contractCall: 1 } },
} as const
/** As the launcher has them. */
const importerFlags = [`--max-semi-space-size=${roleHeaps.import.youngMiB / 3}`]
const host = '127.0.0.1'
const nodes = 4
const seed = 'large'
const blockSeconds = 2
/** Of the block before, which opens the ledger. */
const fewPerSecond = 10
/** Of a message around the items in it. */
const envelopeBytes = 1024
/** A block of the limit's size is meant. */
const fillMin = 0.95

/** One large block from a block node to the log; time and memory of the process that imports it, start included. */
export async function blockMemory({ folder, large }: StageOptions): Promise<StageResult> {
  if (!large) throw new Error('the stage of one block is told which')
  const { messageMiB, blockMiB } = large
  const store = new HeldBlocks()
  const { count, bytes } = await publishLarge(store, large)
  const mebibytes = bytes / 2 ** 20
  if (mebibytes < fillMin * blockMiB || mebibytes > blockMiB)
    throw new Error(
      `a block of ${large.transactions} ${large.of} has ${mebibytes} MiB, and one of ${blockMiB} is meant`,
    )
  const node = await serveBlocks({ store, host, port: 0, setBytesMax: messageMiB * 2 ** 20 - envelopeBytes })
  const data = join(folder, `large-${blockMiB}`)
  rmSync(data, { recursive: true, force: true })
  const verb = [
    ...['import', 'run', '--once', '--data', data, '--source', 'none', '--network', simulatedNetwork],
    ...['--block-nodes', `${host}:${node.port}`],
    ...['--block-message-mib-max', String(messageMiB), '--block-mib-max', String(blockMiB)],
  ]
  const used = await runCli(verb, importerFlags)
  await node.close()
  return { count, ...used, note: `${count} transactions in one block of ${mebibytes.toFixed(1)} MiB` }
}

/** The first block of a ledger, and behind it the large one. */
async function publishLarge(
  store: HeldBlocks,
  { of, transactions }: LargeBlock,
): Promise<{ readonly count: number; readonly bytes: number }> {
  const signer = await createSimulatedLedger({ seed, weights: Array(nodes).fill(1) })
  const options = { stream: 'blocks', seed, nodes, blockSeconds, mix: mixes[of] } as const
  const first = createNetwork({ ...options, transactionsPerSecond: fewPerSecond }, undefined, undefined, signer)
  store.publish(bytesOf(await first.nextBlock()))
  const transactionsPerSecond = transactions / blockSeconds
  const block = await createNetwork({ ...options, transactionsPerSecond }, first.save(), undefined, signer).nextBlock()
  const bytes = bytesOf(block)
  store.publish(bytes)
  return { count: block.transactionCount, bytes: bytes.length }
}
