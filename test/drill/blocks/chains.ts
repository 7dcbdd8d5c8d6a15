import { zstdDecompressSync } from 'node:zlib'
import { hashRules } from '#src/domain/block-hash.ts'
import { unpackBlockFile } from '#src/importer/block/unpack-block-file.ts'
import { mixPresets } from '#src/simulator/mix.ts'
import { createNetwork } from '#src/simulator/network.ts'
import type { SimulatorOptions } from '#src/simulator/options.ts'
import { createSimulatedLedger, type SimulatedLedger } from '#src/simulator/tss/simulated-ledger.ts'
import { hasSamples, sample } from '#test/importer/samples.ts'

/** Blocks that follow each other, with what it takes to believe them. */
export interface Chain {
  readonly name: string
  readonly network: string
  readonly first: bigint
  /** Serialized, as their hashes are over them. */
  readonly blocks: readonly Buffer[]
  readonly addressBook: Uint8Array | undefined
  /** Each wraps a record file. */
  readonly isWrapped: boolean
  /** Signs for the network; undefined where nobody here can. */
  readonly ledger: SimulatedLedger | undefined
}

const { weights, ...shares } = mixPresets.default
/** Batches, code, hooks and airdrops more often: what a reader puts together from several items. */
const mix = {
  ...shares,
  weights: {
    ...weights,
    atomicBatch: 8,
    stackedBatch: 6,
    hookTransfer: 4,
    contractCall: 10,
    contractCallWithChildren: 5,
    autoCreateTransfer: 3,
    contractCreate: 2,
  },
}

/** Simulated chains of each generation and kind of proof; all tell the same history, but for `seed`. */
export async function simulatedChains(count: number, seed = 'chains'): Promise<Chain[]> {
  const forms: readonly [name: string, options: SimulatorOptions][] = [
    ['sixteen leaves, signed', { stream: 'blocks', hashRule: 'sixteen' }],
    ['sixteen leaves, state proofs', { stream: 'blocks', hashRule: 'sixteen', stateProofs: true }],
    ['eight leaves, signed', { stream: 'blocks', hashRule: 'eight' }],
    ['eight leaves, state proofs', { stream: 'blocks', hashRule: 'eight', stateProofs: true }],
    ['wrapped', { stream: 'records', wrappedBlocks: true }],
  ]
  // No ledger signs a block under both rules.
  const ledgers = await Promise.all(
    hashRules.map(
      async (rule) => [rule, await createSimulatedLedger({ seed: `${seed} ${rule}`, weights: [5, 4, 3, 2] })] as const,
    ),
  )
  const chains = forms.map(([name, options]) => {
    const [, ledger] = ledgers.find(([rule]) => rule === (options.hashRule ?? 'sixteen'))!
    return simulatedChain(name, { ...options, seed }, ledger, count)
  })
  return Promise.all(chains)
}

async function simulatedChain(
  name: string,
  options: SimulatorOptions,
  ledger: SimulatedLedger,
  count: number,
): Promise<Chain> {
  const resolved: SimulatorOptions = { nodes: 4, accounts: 40, transactionsPerSecond: 12, mix, ...options }
  const network = createNetwork(resolved, undefined, undefined, ledger)
  const blocks = new Map<bigint, Buffer>()
  while (blocks.size < count) {
    for (const { path, bytes } of (await network.nextBlock()).files) {
      const number = /\/block\/([\d/]+)\.blk\.zstd$/.exec(path)?.[1]?.replaceAll('/', '')
      if (number !== undefined) blocks.set(BigInt(number), zstdDecompressSync(bytes))
    }
  }
  const ordered = [...blocks].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, block]) => block)
  return {
    name,
    network: 'simulated',
    first: 0n,
    blocks: ordered.slice(0, count),
    addressBook: network.addressBook,
    isWrapped: options.stream === 'records',
    ledger,
  }
}

/** Blocks of real networks, with versions of record files that the simulated one does not write; none where they are not there. */
export function recordedChains(): Chain[] {
  if (!hasSamples) return []
  const read = (path: string) => unpackBlockFile(path, sample(`block/${path}`), 64 << 20)
  const tss = 'consensus-node/CN_11_12_TSS_SCHNORR'
  const wrapped = 'wrapped/mainnet/block/0000/0000'
  const one = (name: string, first: bigint, path: string, book: string): Chain => ({
    name,
    network: 'mainnet',
    first,
    blocks: [read(path)],
    addressBook: sample(book),
    isWrapped: true,
    ledger: undefined,
  })
  return [
    {
      name: 'recorded, signed',
      network: 'recorded',
      first: 0n,
      blocks: [0, 1, 2, 3, 4].map((number) => read(`${tss}/${number}.blk.gz`)),
      addressBook: undefined,
      isWrapped: false,
      ledger: undefined,
    },
    one('recorded, wraps version 2', 0n, `${wrapped}/0000/0000/000.blk.zstd`, 'addressbook/bundled/mainnet'),
    one(
      'recorded, wraps version 5',
      26_591_040n,
      `${wrapped}/0002/6591/040.blk.zstd`,
      'record/mainnet-v5/address_book.bin',
    ),
    one(
      'recorded, wraps version 6',
      82_297_471n,
      `${wrapped}/0008/2297/471.blk.zstd`,
      'record/mainnet-v6/address_book.bin',
    ),
  ]
}
