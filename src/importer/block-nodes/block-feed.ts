import { LedgerError } from '#src/domain/errors.ts'
import { type Choice, chooseNode } from '#src/importer/block-nodes/choose.ts'
import { fasterNode } from '#src/importer/block-nodes/faster-node.ts'
import type { FollowedNode } from '#src/importer/block-nodes/followed-node.ts'
import type { BlockNodesSettings } from '#src/importer/block-nodes/settings.ts'
import type { SourceBlock, StreamOddity } from '#src/ports/block-node.ts'
import type { Clock } from '#src/ports/clock.ts'
import type { Logger } from '#src/ports/logger.ts'

export interface BlocksOptions {
  /** undefined: from the earliest that the chosen node has. */
  readonly from: bigint | undefined
  /** The last one wanted; undefined: without end. */
  readonly through?: bigint | undefined
  readonly signal?: AbortSignal | undefined
}

export interface FeedOptions extends BlocksOptions {
  readonly nodes: () => readonly FollowedNode[]
  readonly settings: BlockNodesSettings
  readonly clock: Clock
  readonly logger: Logger
  /** Called before a block is handed over. */
  readonly onBlock: (block: SourceBlock, node: FollowedNode) => void
}

/** The stream of one node, as far as it got. */
interface Stream {
  readonly node: FollowedNode
  readonly ending: AbortSignal
  /** When the block before was handed over, or undefined for the first. */
  handedAt: number | undefined
}

/** Blocks in order from the node that is best for each: when one fails, the next one goes on where it ended. */
export class BlockFeed {
  readonly #options: FeedOptions
  /** Nodes that failed for the block that is wanted, or for a later one that was to be given back. */
  readonly #tried = new Map<FollowedNode, unknown>()
  #triedFor: bigint | undefined
  #position: bigint | undefined
  #current: FollowedNode | undefined
  #restart = new AbortController()
  #moveAt: number

  constructor(options: FeedOptions) {
    this.#options = options
    this.#position = options.from
    this.#moveAt = options.clock.now() + options.settings.moveIntervalMs
  }

  /** That streams right now. */
  get current(): FollowedNode | undefined {
    return this.#current
  }

  /** The number of the next block; undefined before the first. */
  get position(): bigint | undefined {
    return this.#position
  }

  async *run(): AsyncGenerator<SourceBlock> {
    const { through, signal } = this.#options
    let next: Choice | undefined
    while (this.#position === undefined || through === undefined || this.#position <= through) {
      if (signal?.aborted) throw signal.reason
      const wanted: bigint | undefined = this.#position
      const choice: Choice = next ?? (await this.#choose(wanted))
      // Meanwhile an earlier block may have been given back.
      next = this.#position === wanted ? yield* this.#stream(choice) : undefined
    }
  }

  /** A block that was handed over does not hold: it is the next one again, from somebody else where somebody has it. */
  giveBack(block: SourceBlock, node: FollowedNode, error: unknown): void {
    this.#addTried(node, block.number, error)
    if (this.#position === undefined || block.number < this.#position) this.#position = block.number
    this.#restart.abort()
  }

  async #choose(wanted: bigint | undefined): Promise<Choice> {
    const { nodes, clock, signal } = this.#options
    if (this.#triedFor !== undefined && wanted !== undefined && wanted > this.#triedFor) this.#tried.clear()
    return chooseNode({ nodes: nodes(), tried: this.#tried, wanted, now: () => clock.now(), signal })
  }

  /** Hands over blocks of one node until it ends, fails or another one is better, which is returned then. */
  async *#stream({ node, from }: Choice): AsyncGenerator<SourceBlock, Choice | undefined> {
    const { signal, through, logger } = this.#options
    this.#position = from
    this.#restart = new AbortController()
    const endings = [node.gone.signal, this.#restart.signal, ...(signal ? [signal] : [])]
    const stream: Stream = { node, ending: AbortSignal.any(endings), handedAt: undefined }
    const onOddity = (oddity: StreamOddity) => this.#tellOddity(node, oddity)
    const blocks = node.client.subscribe({ from, through, signal: stream.ending, onOddity })[Symbol.asyncIterator]()
    logger.info({ node: node.client.name, from }, 'blocks are streamed from a node')
    this.#enter(node)
    try {
      for (;;) {
        const block = await this.#next(blocks, stream)
        if (block === undefined) return undefined
        yield block
        if (stream.ending.aborted) return undefined
        const better = this.#betterThan(node)
        if (better) return { node: better, from: this.#position }
      }
    } finally {
      this.#leave(node)
      await blocks.return?.()
    }
  }

  /** undefined when the stream ended, which is booked. */
  async #next(blocks: AsyncIterator<SourceBlock>, stream: Stream): Promise<SourceBlock | undefined> {
    const { clock, onBlock, signal, settings } = this.#options
    const { node, handedAt } = stream
    const askedAt = clock.now()
    try {
      const { value: block, done } = await blocks.next()
      if (stream.ending.aborted) return undefined
      if (done) {
        if (handedAt === undefined) this.#fail(node, endedEmpty(node), false)
        return undefined
      }
      const isSlow = handedAt === undefined || askedAt - handedAt > settings.slowConsumerMs
      if (!isSlow) node.latency.add(block, clock.now())
      node.lastBlock = block.number
      this.#position = block.number + 1n
      stream.handedAt = clock.now()
      onBlock(block, node)
      return block
    } catch (error) {
      if (signal?.aborted) throw error
      if (!stream.ending.aborted) this.#fail(node, error, handedAt !== undefined)
      return undefined
    }
  }

  #betterThan(node: FollowedNode): FollowedNode | undefined {
    const { nodes, settings, clock, logger } = this.#options
    const now = clock.now()
    if (now < this.#moveAt) return undefined
    const others = nodes().filter((other) => other !== node && !this.#tried.has(other))
    const better = fasterNode(node, others, settings, now)
    if (better === undefined) return undefined
    this.#moveAt = now + settings.moveIntervalMs
    const latencies = { latencyMs: node.latency.at(now), newLatencyMs: better.latency.at(now) }
    logger.info({ node: node.client.name, better: better.client.name, ...latencies }, 'another block node is better')
    return better
  }

  /** Others are asked first for what it did not give; where it gave blocks before, it may be asked after them. */
  #fail(node: FollowedNode, error: unknown, gaveBlocks: boolean): void {
    const { clock, logger } = this.#options
    const isSetAside = node.failed(error, clock.now())
    const message = isSetAside ? 'a block node failed again and is set aside' : 'a block node failed'
    logger.warn({ node: node.client.name, err: error, block: this.#position }, message)
    node.failedFor = this.#position
    if (!gaveBlocks) this.#addTried(node, this.#position, error)
  }

  #addTried(node: FollowedNode, number: bigint | undefined, error: unknown): void {
    this.#tried.set(node, error)
    if (number !== undefined && (this.#triedFor === undefined || number > this.#triedFor)) this.#triedFor = number
  }

  #tellOddity(node: FollowedNode, oddity: StreamOddity): void {
    const { logger } = this.#options
    if (node.noteOddity(oddity)) logger.warn({ node: node.client.name, oddity }, 'the stream of a block node is odd')
  }

  #enter(node: FollowedNode): void {
    node.streams++
    this.#current = node
  }

  #leave(node: FollowedNode): void {
    node.streams--
    this.#current = undefined
  }
}

function endedEmpty(node: FollowedNode): LedgerError {
  const { name } = node.client
  const message = `Block node ${name} ended the stream without a block that it claims to have; another node is asked`
  return new LedgerError('source_unavailable', message, { node: name, reason: 'refused' })
}
