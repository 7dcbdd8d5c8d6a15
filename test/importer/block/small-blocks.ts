import { zstdDecompressSync } from 'node:zlib'
import type { BlockStore } from '#src/simulator/block-node/block-store.ts'
import { createNetwork } from '#src/simulator/network.ts'
import type { SimulatorOptions } from '#src/simulator/options.ts'
import { createSimulatedLedger, type SimulatedLedger } from '#src/simulator/tss/simulated-ledger.ts'
import { nextBlocks } from '#test/simulator/next-blocks.ts'
import { SampleStore } from '#test/support/sample-blocks.ts'

export interface SmallBlocks {
  /** Serialized, by number from 0. */
  readonly blocks: readonly Buffer[]
  readonly ledger: SimulatedLedger
}

/** Blocks of a transaction each, signed and chained. */
export async function smallBlocks(count: number, options: SimulatorOptions = {}): Promise<SmallBlocks> {
  const ledger = await createSimulatedLedger({ seed: 'small', weights: [3, 2, 2] })
  const small: SimulatorOptions = {
    stream: 'blocks',
    nodes: 1,
    accounts: 10,
    blockSeconds: 0.2,
    transactionsPerSecond: 5,
    mix: { weights: { hbarTransfer: 1 }, failureShare: 0, duplicateShare: 0, showEachKind: false },
  }
  const network = createNetwork({ ...small, ...options }, undefined, undefined, ledger)
  const blocks = (await nextBlocks(network, count)).map(({ files: [file] }) => zstdDecompressSync(file!.bytes))
  return { blocks, ledger }
}

/** Some of them as a block node has them. */
export function storeOf(blocks: readonly Buffer[], first = 0, end = blocks.length): SampleStore & BlockStore {
  const store = new SampleStore()
  for (let number = first; number < end; number++) store.add(blocks[number] as Buffer, BigInt(number))
  return store
}
