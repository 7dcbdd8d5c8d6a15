import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { serveBlocks } from '#src/simulator/block-node/serve-blocks.ts'
import { createNetwork } from '#src/simulator/network.ts'
import { createSimulatedLedger } from '#src/simulator/tss/simulated-ledger.ts'
import { bytesOf, HeldBlocks } from '#test/bench/blocks/held-blocks.ts'
import { simulatedNetwork } from '#test/bench/blocks/packed-blocks.ts'
import { type CliProcess, startCli } from '#test/bench/cli-process.ts'
import { delaysOf, type LatencyResult } from '#test/bench/latency.ts'

export interface BlockLatency {
  /** One key, and groups of nodes that have signed before. */
  readonly usual: LatencyResult
  /** Each block is signed with a key of its own. */
  readonly newKey: LatencyResult
}

const host = '127.0.0.1'
const nodes = 31
/** Groups of nodes have all signed by then, and what a block runs is compiled. */
const warmUpBlocks = 40
const usualBlocks = 40
const newKeyBlocks = 20
const blockSeconds = 0.5
const transactionsPerSecond = 100
const pollMs = 2
const giveUpMs = 30_000

/** From the moment that a block node has a block until the API's block list shows it, with all read models. */
export async function measureBlockLatency(folder: string): Promise<BlockLatency> {
  const ledger = await createSimulatedLedger({ seed: 'live', weights: Array(nodes).fill(1) })
  let key = 0
  const signer = { publication: ledger.publication, sign: (hash: Uint8Array) => ledger.sign(hash, key) }
  const options = { stream: 'blocks', seed: 'live', nodes, blockSeconds, transactionsPerSecond } as const
  const network = createNetwork(
    { ...options, startTime: BigInt(Date.now()) * 1_000_000n },
    undefined,
    undefined,
    signer,
  )
  const store = new HeldBlocks()
  store.publish(bytesOf(await network.nextBlock()))
  const node = await serveBlocks({ store, host, port: 0 })
  const data = join(folder, 'live-blocks')
  rmSync(data, { recursive: true, force: true })
  const service = await startCli('start', [
    ...['--data', data, '--source', 'none', '--network', simulatedNetwork],
    ...['--block-nodes', `${host}:${node.port}`],
  ])
  try {
    const follow = new Follower(service, async () => bytesOf(await network.nextBlock()), store)
    await follow.blocks(warmUpBlocks)
    const usual = await follow.blocks(usualBlocks)
    const newKey = await follow.blocks(newKeyBlocks, () => (key += 1))
    return { usual: delaysOf(usual), newKey: delaysOf(newKey) }
  } finally {
    await service.stop()
    await node.close()
  }
}

class Follower {
  readonly #service: CliProcess
  readonly #next: () => Promise<Uint8Array>
  readonly #store: HeldBlocks
  #number = 0

  constructor(service: CliProcess, next: () => Promise<Uint8Array>, store: HeldBlocks) {
    this.#service = service
    this.#next = next
    this.#store = store
  }

  /** Publishes so many blocks in step with their time; milliseconds that each took to be shown. */
  async blocks(count: number, beforeEach: () => void = () => {}): Promise<number[]> {
    const delays: number[] = []
    await this.#shown(this.#number)
    for (let at = 0; at < count; at++) {
      beforeEach()
      const block = await this.#next()
      const rest = sleep(blockSeconds * 1_000)
      const published = performance.now()
      this.#store.publish(block)
      this.#number += 1
      await this.#shown(this.#number)
      delays.push(performance.now() - published)
      await rest
    }
    return delays
  }

  async #shown(number: number): Promise<void> {
    for (const started = Date.now(); Date.now() - started < giveUpMs; await sleep(pollMs)) {
      const answer = await fetch(`${this.#service.address}/api/v1/blocks?limit=1`)
      const { blocks } = (await answer.json()) as { blocks?: { number: number }[] }
      if (blocks?.[0]?.number === number) return
    }
    throw new Error(`block ${number} is not shown after ${giveUpMs} ms`)
  }
}
