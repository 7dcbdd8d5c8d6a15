import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { loadBlockNodeClient } from '#src/adapters/block-node/open-block-node.ts'
import { blockNodeDefaults } from '#src/adapters/block-node/options.ts'
import { blockPath } from '#src/domain/block-name.ts'
import { BlockNodes } from '#src/importer/block-nodes/block-nodes.ts'
import type { KnownBlockNode } from '#src/importer/block-nodes/known-block-node.ts'
import { BlockSources } from '#src/importer/block-sources/block-sources.ts'
import { ProofPool } from '#src/importer/proof/proof-pool.ts'
import { systemClock } from '#src/ports/clock.ts'
import { silentLogger } from '#src/ports/logger.ts'
import { BlockFaults } from '#src/simulator/block-node/faults.ts'
import { endpoint, useBlockNodes } from '#test/adapters/block-node/support.ts'
import { folderBlocks, noFiles } from '#test/importer/block/folder-blocks.ts'
import { type SmallBlocks, smallBlocks, storeOf } from '#test/importer/block/small-blocks.ts'
import { ImportWorld } from '#test/importer/import-world.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'

const { keep, serve } = useBlockNodes()
/** Other numbers with LEDGER_TEST_BLOCKS. */
const count = Number(process.env['LEDGER_TEST_BLOCKS'] ?? 1_000)
/** Where the nodes fail, one after the other. */
const [dies, stalls, lies] = [0.2, 0.5, 0.7].map((share) => BigInt(Math.floor(share * count))) as [
  bigint,
  bigint,
  bigint,
]
const last = BigInt(count - 1)
const network = 'simulated'
const timeouts = { statusTimeoutMs: 500, blockTimeoutMs: 1_000, connectTimeoutMs: 500 }
/** For a machine that has other work. */
const slackMs = 8_000

let given: SmallBlocks
beforeAll(
  async () => {
    given = await smallBlocks(count)
  },
  Math.max(120_000, count * 60),
)

/** Three nodes with all blocks, in the order in which they are preferred. */
async function threeNodes() {
  const store = storeOf(given.blocks)
  const served = await Promise.all([0, 1, 2].map(() => serve({ store, faults: new BlockFaults() })))
  served.sort((a, b) => a.port - b.port)
  const open = await loadBlockNodeClient({ ...blockNodeDefaults, ...timeouts })
  const nodes = keep(new BlockNodes({ open, clock: systemClock, logger: silentLogger }))
  nodes.use(
    served.map(({ port }): KnownBlockNode => {
      return { endpoints: { status: endpoint(port), stream: endpoint(port) }, priority: 0, origin: 'configured' }
    }),
  )
  return { nodes, faults: served.map(({ faults }) => faults) }
}

async function bucketOfAll() {
  const folder = await temporaryFolder()
  keep({ close: () => folder.remove() })
  for (const [number, block] of given.blocks.entries()) {
    const path = join(folder.path, network, 'block', `${blockPath(BigInt(number))}.blk.zstd`)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, zstdCompressSync(block))
  }
  return folderBlocks(folder.path, network)
}

interface Published {
  readonly numbers: readonly bigint[]
  readonly sources: ReadonlySet<string | null>
  /** From one block to the next, milliseconds, the longest first. */
  readonly delays: readonly { readonly block: bigint; readonly ms: number }[]
}

/** Imports up to the last block. */
async function importAll(supply: BlockSources): Promise<Published> {
  const world = new ImportWorld()
  const checker = keep(new ProofPool({ logger: silentLogger, threads: 2 }))
  world.blockInput = { supply, checker, ledger: undefined }
  const over = new AbortController()
  const delays: { block: bigint; ms: number }[] = []
  let since = performance.now()
  const settings = { stream: 'blocks', network, once: false, pollIntervalMs: 100, appendBlocksMax: 1 } as const
  await world.import(noFiles, settings, over.signal, ({ latestBlock }) => {
    if (latestBlock === undefined || latestBlock === delays.at(-1)?.block) return
    delays.push({ block: latestBlock, ms: performance.now() - since })
    since = performance.now()
    if (latestBlock === last) over.abort()
  })
  const blocks = await world.blocks()
  return {
    numbers: blocks.map(({ number }) => number),
    sources: new Set(blocks.map(({ source }) => source)),
    delays: delays.toSorted((a, b) => b.ms - a.ms),
  }
}

function tell(what: string, { delays }: Published): void {
  const total = delays.reduce((sum, { ms }) => sum + ms, 0)
  const longest = delays.slice(0, 4).map(({ block, ms }) => `${ms.toFixed(0)} ms for block ${block}`)
  const mean = (total / delays.length).toFixed(1)
  console.log(
    `${what}: ${count} blocks in ${total.toFixed(0)} ms, ${mean} ms each; the longest waits: ${longest.join(', ')}`,
  )
}

const all = Array.from({ length: count }, (_, number) => BigInt(number))

describe('a thousand blocks through the importer and three nodes', () => {
  it('of which one dies, one stalls and one lies are published without a gap, each once', async () => {
    const { nodes, faults } = await threeNodes()
    faults[0]?.at(dies, { kind: 'die' })
    faults[1]?.at(stalls, { kind: 'stall' })
    faults[2]?.at(lies, { kind: 'lie' })
    const supply = new BlockSources({
      type: 'nodes',
      nodes,
      bucket: undefined,
      failuresMax: 3,
      retryDelayMs: 1_000,
      now: Date.now,
    })
    const published = await importAll(supply)
    tell('one node dies, one stalls, one lies', published)
    expect(published.numbers).toEqual(all)
    expect(published.sources.size).toBe(3)
    const [longest] = published.delays
    // The node that stalls costs its time for a block, and the dead one its time for a status.
    expect(longest?.ms).toBeLessThan(timeouts.blockTimeoutMs + timeouts.statusTimeoutMs + slackMs)
  })

  it('that all fail for good are published from the bucket from there on', async () => {
    const { nodes, faults } = await threeNodes()
    faults[0]?.at(dies, { kind: 'die' })
    for (let number = stalls; number <= last; number++) faults[1]?.at(number, { kind: 'stall' })
    for (let number = lies; number <= last; number++) faults[2]?.at(number, { kind: 'lie' })
    const bucket = await bucketOfAll()
    const supply = new BlockSources({ type: 'auto', nodes, bucket, failuresMax: 3, retryDelayMs: 5_000, now: Date.now })
    const published = await importAll(supply)
    tell('three nodes fail one after the other, then the bucket', published)
    expect(published.numbers).toEqual(all)
    expect(published.sources.size).toBe(4)
    const [longest] = published.delays
    // Two attempts with nodes of which one stalls and one is dead.
    expect(longest?.ms).toBeLessThan(2 * (timeouts.blockTimeoutMs + timeouts.statusTimeoutMs) + slackMs)
  })
})
