import { nodeFailure } from '#src/adapters/block-node/failure.ts'
import { BlockNodes } from '#src/importer/block-nodes/block-nodes.ts'
import type { KnownBlockNode } from '#src/importer/block-nodes/known-block-node.ts'
import type { BlockNodesSettings } from '#src/importer/block-nodes/settings.ts'
import type {
  BlockNode,
  BlockNodeEndpoints,
  BlockNodeReason,
  BlockRange,
  SourceBlock,
  SubscribeOptions,
} from '#src/ports/block-node.ts'
import { silentLogger } from '#src/ports/logger.ts'
import { sampleBlock } from '#test/support/sample-blocks.ts'

/** Time that passes when the test says so. */
class FakeTime {
  #now = 1_000_000
  readonly #waiting = new Set<{ readonly until: number; readonly wake: () => void }>()

  now(): number {
    return this.#now
  }

  readonly rest = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const waiting = { until: this.#now + milliseconds, wake: () => resolve() }
      this.#waiting.add(waiting)
      signal?.addEventListener('abort', () => resolve(), { once: true })
      if (signal?.aborted) resolve()
    })

  /** Passes so many milliseconds, and lets what was waited for happen on the way. */
  async pass(milliseconds: number): Promise<void> {
    await turns()
    for (const end = this.#now + milliseconds; this.#now < end; ) {
      const due = [...this.#waiting].map(({ until }) => until).filter((until) => until > this.#now && until <= end)
      this.#now = Math.min(end, ...due)
      for (const waiting of this.#waiting) {
        if (waiting.until > this.#now) continue
        this.#waiting.delete(waiting)
        waiting.wake()
      }
      await turns()
    }
  }
}

/** Lets everything happen that waits for nothing. */
export async function turns(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
}

/** A node whose answers are in the hands of a test. */
export class FakeNode implements BlockNode {
  readonly name: string
  ranges: BlockRange[] = []
  statusFails: BlockNodeReason | undefined
  /** The number of the block that is not given, and why; a stream waits for ever where there is no reason. */
  failsAt: { readonly number: bigint; readonly reason: BlockNodeReason | undefined } | undefined
  /** Says that it is done before this block. */
  doneAt: bigint | undefined
  /** Milliseconds from the time of a block to its arrival from this node. */
  latencyMs = 100
  /** What was asked, such as `status`, `stream 5`, `fetch 5`. */
  readonly asked: string[] = []
  openStreams = 0
  closed = false
  readonly #world: FakeWorld

  constructor(world: FakeWorld, { stream: { host, port } }: BlockNodeEndpoints) {
    this.#world = world
    this.name = `${host}:${port}`
  }

  async status(): Promise<readonly BlockRange[]> {
    this.asked.push('status')
    if (this.statusFails) throw nodeFailure(this.name, this.statusFails, 'does not tell its status')
    return this.ranges
  }

  async *subscribe({ from, through, signal }: SubscribeOptions): AsyncGenerator<SourceBlock> {
    this.asked.push(`stream ${from}`)
    this.openStreams++
    try {
      for (let number = from; through === undefined || number <= through; number++) {
        if (this.doneAt !== undefined && number >= this.doneAt) return
        const { failsAt } = this
        if (failsAt?.number === number && failsAt.reason) {
          throw nodeFailure(this.name, failsAt.reason, `does not give block ${number}`)
        }
        if (failsAt?.number === number) await new Promise((resolve) => signal?.addEventListener('abort', resolve))
        const block = await this.#world.arrival(number, this, signal)
        signal?.throwIfAborted()
        yield block
      }
    } finally {
      this.openStreams--
    }
  }

  async fetch(number: bigint): Promise<SourceBlock | undefined> {
    this.asked.push(`fetch ${number}`)
    if (this.failsAt?.reason) throw nodeFailure(this.name, this.failsAt.reason, `does not give block ${number}`)
    const has = this.ranges.some(({ first, last }) => first <= number && number <= last)
    return has ? this.#world.blockOf(number, this) : undefined
  }

  async close(): Promise<void> {
    this.closed = true
  }
}

/** Nodes, a clock, and the blocks of a chain: each was made at a time, and arrives so much later as its node takes. */
export class FakeWorld {
  readonly time = new FakeTime()
  readonly nodes = new Map<string, FakeNode>()
  readonly source: BlockNodes
  /** The time of block 0, and from block to block; history, unless a test says otherwise. */
  firstBlockAt = -1_000_000
  blockMs = 100

  constructor(settings: Partial<BlockNodesSettings> = {}) {
    const { time } = this
    this.source = new BlockNodes({
      open: (endpoints) => this.#open(endpoints),
      clock: time,
      logger: silentLogger,
      settings,
      random: () => 0.5,
      rest: time.rest,
    })
  }

  /** Nodes with blocks 0 to 99, in the order of preference unless they have priorities. */
  use(...nodes: (string | [host: string, priority: number])[]): FakeNode[] {
    this.source.use(nodes.map((node) => (typeof node === 'string' ? known(node) : known(...node))))
    return nodes.map((node) => this.nodes.get(`${typeof node === 'string' ? node : node[0]}:1`) as FakeNode)
  }

  timeOf(number: bigint): number {
    return this.firstBlockAt + Number(number) * this.blockMs
  }

  /** Resolves with the block when it arrives from the node. */
  async arrival(number: bigint, node: FakeNode, signal?: AbortSignal): Promise<SourceBlock> {
    const wait = this.timeOf(number) + node.latencyMs - this.time.now()
    if (wait > 0) await this.time.rest(wait, signal)
    return this.blockOf(number, node)
  }

  blockOf(number: bigint, { name }: FakeNode): SourceBlock {
    const pieces = [sampleBlock({ number, time: this.timeOf(number), chain: name })]
    const now = this.time.now()
    return { number, name: `${number}.blk`, pieces, size: undefined, origin: name, headerAt: now, completeAt: now }
  }

  #open(endpoints: BlockNodeEndpoints): FakeNode {
    const node = new FakeNode(this, endpoints)
    node.ranges = [{ first: 0n, last: 99n }]
    this.nodes.set(node.name, node)
    return node
  }
}

export function known(host: string, priority = 0, more: Partial<KnownBlockNode> = {}): KnownBlockNode {
  const endpoint = { host, port: 1, tls: false }
  return { endpoints: { status: endpoint, stream: endpoint }, priority, origin: 'configured', ...more }
}

/** What comes from where, such as `5 from a:1`. */
export function textOf({ number, origin }: SourceBlock): string {
  return `${number} from ${origin}`
}
