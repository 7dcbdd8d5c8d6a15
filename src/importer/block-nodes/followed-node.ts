import { isLedgerError } from '#src/domain/errors.ts'
import type { KnownBlockNode } from '#src/importer/block-nodes/known-block-node.ts'
import { Latency } from '#src/importer/block-nodes/latency.ts'
import type { BlockNodesSettings } from '#src/importer/block-nodes/settings.ts'
import type { BlockNode, BlockNodeReason, StreamOddity } from '#src/ports/block-node.ts'

/** What went wrong with a node; `rejected`: a block of it did not hold. */
export type BlockNodeError = BlockNodeReason | 'rejected'

/** A node as those see it who look after it. */
export interface BlockNodeState {
  /** `host:port` of where it streams. */
  readonly name: string
  readonly origin: KnownBlockNode['origin']
  readonly priority: number
  readonly registeredNodeId: bigint | undefined
  readonly tls: boolean
  /** Milliseconds since the epoch; undefined while it is active. */
  readonly setAsideUntil: number | undefined
  readonly streaming: boolean
  /** Milliseconds from the time of a block to its arrival; undefined where nothing recent is known. */
  readonly latencyMs: number | undefined
  /** The newest block that it gave. */
  readonly lastBlock: bigint | undefined
  readonly errors: Readonly<Partial<Record<BlockNodeError, number>>>
  readonly oddities: Readonly<Partial<Record<StreamOddity, number>>>
  readonly lastError: { readonly message: string; readonly at: number } | undefined
}

/** A node that may be asked, with what is known of it. */
export class FollowedNode {
  known: KnownBlockNode
  readonly client: BlockNode
  readonly latency: Latency
  /** Aborted when the node is no longer one of ours. */
  readonly gone = new AbortController()
  /** It did not give the block of this number, or one that does not hold: others are asked for that first. */
  failedFor: bigint | undefined
  /** When it was last looked at how fast it is, and when that last went well. */
  probedAt = Number.NEGATIVE_INFINITY
  provedAt = Number.NEGATIVE_INFINITY
  streams = 0
  lastBlock: bigint | undefined
  readonly #settings: BlockNodesSettings
  readonly #errors: Partial<Record<BlockNodeError, number>> = {}
  readonly #oddities: Partial<Record<StreamOddity, number>> = {}
  #lastError: BlockNodeState['lastError']
  #failures = 0
  #setAsideUntil: number | undefined

  constructor(known: KnownBlockNode, client: BlockNode, settings: BlockNodesSettings) {
    this.known = known
    this.client = client
    this.latency = new Latency(settings)
    this.#settings = settings
  }

  isActive(now: number): boolean {
    return this.#setAsideUntil === undefined || now >= this.#setAsideUntil
  }

  /** A block of it holds. */
  succeeded(): void {
    this.#failures = 0
    this.#setAsideUntil = undefined
  }

  /** A subscription failed, or a block did not hold; true when the node is set aside for it. */
  failed(error: unknown, now: number, kind?: BlockNodeError): boolean {
    this.note(error, now, kind)
    // How fast it was says nothing about a node that fails.
    this.latency.clear()
    this.provedAt = Number.NEGATIVE_INFINITY
    if (++this.#failures < this.#settings.failuresMax) return false
    this.#failures = 0
    this.#setAsideUntil = now + this.#settings.readmitDelayMs
    return true
  }

  /** Counts what went wrong, with no more consequence. */
  note(error: unknown, now: number, kind?: BlockNodeError): void {
    const counted = kind ?? reasonOf(error)
    this.#errors[counted] = (this.#errors[counted] ?? 0) + 1
    this.#lastError = { message: error instanceof Error ? error.message : String(error), at: now }
  }

  /** Counts what is odd; true for the first of its kind. */
  noteOddity(oddity: StreamOddity): boolean {
    const count = (this.#oddities[oddity] ?? 0) + 1
    this.#oddities[oddity] = count
    return count === 1
  }

  state(now: number): BlockNodeState {
    const { origin, priority, registeredNodeId, endpoints } = this.known
    return {
      name: this.client.name,
      origin,
      priority,
      registeredNodeId,
      tls: endpoints.stream.tls,
      setAsideUntil: this.isActive(now) ? undefined : this.#setAsideUntil,
      streaming: this.streams > 0,
      latencyMs: this.latency.at(now),
      lastBlock: this.lastBlock,
      errors: { ...this.#errors },
      oddities: { ...this.#oddities },
      lastError: this.#lastError,
    }
  }
}

function reasonOf(error: unknown): BlockNodeError {
  const reason = isLedgerError(error, 'source_unavailable') ? error.details['reason'] : undefined
  return (reason as BlockNodeReason | undefined) ?? 'protocol'
}
