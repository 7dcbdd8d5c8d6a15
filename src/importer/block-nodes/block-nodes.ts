import { BlockFeed, type BlocksOptions } from '#src/importer/block-nodes/block-feed.ts'
import { nobodyKnown } from '#src/importer/block-nodes/choose.ts'
import { type BlockNodeState, FollowedNode } from '#src/importer/block-nodes/followed-node.ts'
import { haveSameEndpoints, type KnownBlockNode, mergeNodes } from '#src/importer/block-nodes/known-block-node.ts'
import { groupsOf } from '#src/importer/block-nodes/order.ts'
import { probeWhile } from '#src/importer/block-nodes/prober.ts'
import { type BlockNodesSettings, blockNodesDefaults } from '#src/importer/block-nodes/settings.ts'
import type { NodeSupply } from '#src/importer/block-sources/block-sources.ts'
import type { OpenBlockNode, SourceBlock } from '#src/ports/block-node.ts'
import { type Clock, rest } from '#src/ports/clock.ts'
import type { Logger } from '#src/ports/logger.ts'

export interface BlockNodesOptions {
  readonly open: OpenBlockNode
  readonly clock: Clock
  readonly logger: Logger
  readonly settings?: Partial<BlockNodesSettings> | undefined
  /** From 0 to below 1. */
  readonly random?: (() => number) | undefined
  /** Waits so many milliseconds, or until the signal is aborted. */
  readonly rest?: ((milliseconds: number, signal: AbortSignal) => Promise<void>) | undefined
}

/** Whoever registers a node on the ledger adds to them. */
const namedMax = 5

interface Giver {
  readonly node: FollowedNode
  /** undefined: the block was asked for alone. */
  readonly feed: BlockFeed | undefined
}

/**
 * The block nodes that are known, as one source: of all that have a block the best one is asked, by priority, then by latency;
 * one that fails again and again is set aside for a while. Blocks are not believed: whoever takes them says of each whether it
 * holds (`accepted`, `refused`), now or later.
 */
export class BlockNodes implements NodeSupply {
  readonly #options: BlockNodesOptions
  readonly #settings: BlockNodesSettings
  readonly #givers = new WeakMap<SourceBlock, Giver>()
  #nodes: ReadonlyMap<string, FollowedNode> = new Map()

  constructor(options: BlockNodesOptions) {
    this.#options = options
    this.#settings = { ...blockNodesDefaults, ...options.settings }
  }

  get count(): number {
    return this.#nodes.size
  }

  get description(): string {
    const names = [...this.#nodes.values()].map(({ client }) => client.name)
    const more = names.length > namedMax ? ` and ${names.length - namedMax} more` : ''
    return `${names.length === 1 ? 'block node' : 'block nodes'} ${names.slice(0, namedMax).join(', ')}${more}`
  }

  /** From now on these, and no others: streams of those that are gone move on to another node. */
  use(known: readonly KnownBlockNode[]): void {
    const before = this.#nodes
    const merged = mergeNodes(known)
    this.#nodes = new Map([...merged].map(([key, node]) => [key, this.#follow(node, before.get(key))]))
    const kept = new Set(this.#nodes.values())
    for (const node of before.values()) if (!kept.has(node)) void this.#leave(node)
  }

  /**
   * Blocks in order, without a gap, from whichever node has them; a block that is refused comes again, and those after it.
   * Rejects with `source_unavailable` when nobody gives the next block, `details.behind` where that may be because it is not
   * there yet: whoever wants it asks again after a while. Rejects with the reason of the signal. What is refused after the end
   * is asked for anew.
   */
  async *blocks(options: BlocksOptions): AsyncGenerator<SourceBlock> {
    const { clock, logger, random = Math.random } = this.#options
    const nodes = () => [...this.#nodes.values()]
    const settings = this.#settings
    const onBlock = (block: SourceBlock, node: FollowedNode) => this.#givers.set(block, { node, feed })
    const feed: BlockFeed = new BlockFeed({ ...options, nodes, settings, clock, logger, onBlock })
    const over = new AbortController()
    const probing = probeWhile({
      feed,
      nodes,
      settings,
      clock,
      rest: this.#options.rest ?? rest,
      random,
      signal: options.signal ? AbortSignal.any([over.signal, options.signal]) : over.signal,
    })
    try {
      yield* feed.run()
    } finally {
      over.abort()
      await probing
    }
  }

  /** One block, from the first node that gives it; undefined when none of those that answer has it. */
  async fetch(number: bigint, signal?: AbortSignal): Promise<SourceBlock | undefined> {
    const { clock } = this.#options
    if (this.#nodes.size === 0) throw nobodyKnown(number)
    let failure: unknown
    for (const node of groupsOf([...this.#nodes.values()], number, clock.now()).flat()) {
      const ending = signal ? AbortSignal.any([signal, node.gone.signal]) : node.gone.signal
      try {
        const block = await node.client.fetch(number, ending)
        if (block === undefined) continue
        this.#givers.set(block, { node, feed: undefined })
        return block
      } catch (error) {
        if (signal?.aborted) throw error
        if (!ending.aborted) node.note(error, clock.now())
        failure = error
      }
    }
    if (failure !== undefined) throw failure
    return undefined
  }

  /** The newest block of those that answer; undefined where none of them has any. Rejects where nobody answers. */
  async newest(signal?: AbortSignal): Promise<bigint | undefined> {
    const asked = await Promise.allSettled([...this.#nodes.values()].map(({ client }) => client.status(signal)))
    const [failed] = asked
    if (failed?.status === 'rejected' && asked.every(({ status }) => status === 'rejected')) throw failed.reason
    const numbers = asked.flatMap((one) => (one.status === 'fulfilled' ? one.value.map(({ last }) => last) : []))
    return numbers.reduce<bigint | undefined>((max, one) => (max === undefined || one > max ? one : max), undefined)
  }

  /** A subscription waits by itself; this is between two of them. */
  async waitForChange(maxMs: number, signal?: AbortSignal): Promise<void> {
    await rest(maxMs, signal)
  }

  /** A block holds: its node is as good as any. */
  accepted(block: SourceBlock): void {
    this.#givers.get(block)?.node.succeeded()
  }

  /**
   * A block does not hold: that counts against its node, and another one is asked for it first; true where there is one. Whoever gives
   * a second time what does not hold was asked because nobody else gives it.
   */
  refused(block: SourceBlock, error: unknown): boolean {
    const giver = this.#givers.get(block)
    if (giver === undefined) return false
    const { node, feed } = giver
    const { clock, logger } = this.#options
    const isSetAside = node.failed(error, clock.now(), 'rejected')
    const isAgain = node.failedFor === block.number
    node.failedFor = block.number
    const message = isSetAside ? 'a block does not hold again, and its node is set aside' : 'a block does not hold'
    logger.warn({ node: node.client.name, block: block.number, err: error }, message)
    feed?.giveBack(block, node, error)
    return !isAgain && [...this.#nodes.values()].some(({ failedFor }) => failedFor !== block.number)
  }

  /** All nodes, the one that would be asked first at first. */
  states(): readonly BlockNodeState[] {
    const now = this.#options.clock.now()
    const ordered = groupsOf([...this.#nodes.values()], undefined, now).flat()
    return ordered.map((node) => node.state(now))
  }

  async close(): Promise<void> {
    const nodes = [...this.#nodes.values()]
    this.#nodes = new Map()
    await Promise.all(nodes.map((node) => this.#leave(node)))
  }

  #follow(known: KnownBlockNode, before: FollowedNode | undefined): FollowedNode {
    if (before === undefined || !haveSameEndpoints(before.known, known)) {
      return new FollowedNode(known, this.#options.open(known.endpoints), this.#settings)
    }
    before.known = known
    return before
  }

  async #leave(node: FollowedNode): Promise<void> {
    node.gone.abort()
    try {
      await node.client.close()
    } catch (error) {
      this.#options.logger.warn({ node: node.client.name, err: error }, 'a block node could not be closed')
    }
  }
}
