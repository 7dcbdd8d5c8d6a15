import { isLedgerError, LedgerError } from '#src/domain/errors.ts'
import type { BlockRequest, BlockSupply } from '#src/importer/block-sources/block-supply.ts'
import type { SourceBlock } from '#src/ports/block-node.ts'
import { rest } from '#src/ports/clock.ts'

/** Block nodes or a bucket. */
export type SupplyKind = 'nodes' | 'bucket'

/** Block nodes with the number of those that are known. */
export interface NodeSupply extends BlockSupply {
  readonly count: number
}

export interface BlockSourcesOptions {
  /** auto: block nodes where any is known; after failures the other kind. */
  readonly type: SupplyKind | 'auto'
  readonly nodes: NodeSupply | undefined
  readonly bucket: BlockSupply | undefined
  /** Attempts of one kind that may fail one after the other before the other kind has its turn. */
  readonly failuresMax: number
  /** How long a kind that failed is left alone while the other one works, milliseconds. */
  readonly retryDelayMs: number
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

/** How long one kind may lack the next block before the other one is asked for it, milliseconds. */
const behindMax = 10_000

interface Health {
  failures: number
  /** Since when it is out of order; undefined while it works. */
  failedAt: number | undefined
}

/** Where blocks come from: of block nodes and a bucket the one that works, nodes first since they have blocks earlier. */
export class BlockSources implements BlockSupply {
  readonly #options: BlockSourcesOptions
  readonly #health: Readonly<Record<SupplyKind, Health>> = {
    nodes: { failures: 0, failedAt: undefined },
    bucket: { failures: 0, failedAt: undefined },
  }
  readonly #givers = new WeakMap<object, SupplyKind>()
  #current: SupplyKind | undefined
  /** Since when nobody has had the next block. */
  #behindSince: number | undefined
  /** The block that was refused last, and who had it like that. */
  #refused: { readonly number: bigint; readonly kinds: Set<SupplyKind> } | undefined

  constructor(options: BlockSourcesOptions) {
    this.#options = options
  }

  /** The kind that was asked last. */
  get current(): SupplyKind | undefined {
    return this.#current
  }

  async *blocks(request: BlockRequest): AsyncGenerator<SourceBlock, void, undefined> {
    const chosen = this.#choose()
    let failure: unknown
    // Where the one that is chosen gives nothing at all, the other one is asked at once.
    for (const kind of [chosen, ...this.#kinds().filter((one) => one !== chosen)]) {
      this.#current = kind
      let gave = false
      try {
        for await (const block of this.#supply(kind).blocks(request)) {
          gave = true
          this.#behindSince = undefined
          this.#givers.set(block, kind)
          yield block
        }
        return
      } catch (error) {
        if (request.signal?.aborted) throw error
        const isBehind = isJustBehind(error)
        if (!isBehind) this.#failed(kind)
        if (gave && !isBehind) throw error
        if (isBehind && !this.#isLongBehind()) return
        if (!isBehind) failure = failure === undefined ? error : bothFailed(failure, error)
      }
    }
    if (failure !== undefined) throw failure
  }

  /** Nodes may all stand still at the same block, which a bucket has long had. */
  #isLongBehind(): boolean {
    const now = this.#options.now()
    this.#behindSince ??= now
    return now - this.#behindSince >= behindMax
  }

  async fetch(number: bigint, signal?: AbortSignal): Promise<SourceBlock | undefined> {
    let failure: unknown
    for (const kind of this.#kinds()) {
      try {
        const block = await this.#supply(kind).fetch(number, signal)
        if (block === undefined) continue
        this.#givers.set(block, kind)
        this.#current = kind
        return block
      } catch (error) {
        if (signal?.aborted) throw error
        failure ??= error
      }
    }
    if (failure !== undefined) throw failure
    return undefined
  }

  get description(): string {
    const texts = this.#kinds().map((kind) => this.#supply(kind).description)
    return texts.length === 0 ? 'nowhere: no block node is known, and no bucket' : texts.join(' and ')
  }

  /** Of the first kind that tells; one that has none, or does not answer, is left alone for a while. */
  async newest(signal?: AbortSignal): Promise<bigint | undefined> {
    const [first, second] = this.#kinds()
    if (first === undefined || second === undefined) return first && this.#supply(first).newest(signal)
    const newest = await this.#supply(first)
      .newest(signal)
      .catch(() => undefined)
    if (signal?.aborted) throw signal.reason
    if (newest !== undefined) return newest
    this.#health[first].failedAt = this.#options.now()
    return this.#supply(second).newest(signal)
  }

  async waitForChange(maxMs: number, signal?: AbortSignal): Promise<void> {
    const { bucket } = this.#options
    if (this.#current === 'bucket' && bucket) await bucket.waitForChange(maxMs, signal)
    else await rest(maxMs, signal)
  }

  refused(block: SourceBlock, error: LedgerError): boolean {
    const kind = this.#givers.get(block)
    if (kind === undefined) return false
    const isElsewhere = this.#supply(kind).refused(block, error)
    this.#failed(kind)
    if (isElsewhere) return true
    if (this.#refused?.number !== block.number) this.#refused = { number: block.number, kinds: new Set() }
    const { kinds } = this.#refused
    kinds.add(kind)
    const other = this.#kinds().find((one) => !kinds.has(one))
    // All of one kind have it like this: it is the other one's turn.
    if (other !== undefined) this.#health[kind].failedAt = this.#options.now()
    return other !== undefined
  }

  accepted(block: SourceBlock): void {
    const kind = this.#givers.get(block)
    if (kind === undefined) return
    this.#supply(kind).accepted(block)
    this.#health[kind].failures = 0
    this.#health[kind].failedAt = undefined
  }

  /** Those that there are, nodes first. */
  #kinds(): SupplyKind[] {
    const { type, nodes, bucket } = this.#options
    const kinds: SupplyKind[] = []
    if (type !== 'bucket' && nodes && nodes.count > 0) kinds.push('nodes')
    if (type !== 'nodes' && bucket) kinds.push('bucket')
    return kinds
  }

  #choose(): SupplyKind {
    const [first, second] = this.#kinds()
    if (first === undefined) throw this.#noSource()
    if (second === undefined) return first
    const [one, other] = [this.#health[first], this.#health[second]]
    if (one.failedAt === undefined) return first
    // Both fail: in turns. The one that has not been tried for longer comes next.
    if (other.failedAt !== undefined) return one.failedAt <= other.failedAt ? first : second
    return this.#options.now() - one.failedAt >= this.#options.retryDelayMs ? first : second
  }

  #failed(kind: SupplyKind): void {
    const health = this.#health[kind]
    health.failures += 1
    if (health.failures >= this.#options.failuresMax) health.failedAt = this.#options.now()
  }

  #supply(kind: SupplyKind): BlockSupply {
    const supply = kind === 'nodes' ? this.#options.nodes : this.#options.bucket
    if (supply === undefined) throw this.#noSource()
    return supply
  }

  #noSource(): LedgerError {
    const reason =
      this.#options.type === 'nodes'
        ? 'no block node is known'
        : 'no block node is known, and there is no bucket of blocks'
    return new LedgerError(
      'source_unavailable',
      `Blocks cannot be read: ${reason}; name nodes with --block-nodes <host:port>, or a bucket with --block-source`,
      { reason },
    )
  }
}

/** Nobody failed: the next block is not there yet. */
function isJustBehind(error: unknown): boolean {
  return isLedgerError(error, 'source_unavailable') && error.details['behind'] === true
}

/** What both kinds failed of, in the order in which they were asked. */
function bothFailed(first: unknown, second: unknown): unknown {
  if (!isLedgerError(first) || !isLedgerError(second)) return first
  return new LedgerError(first.code, `${first.message}. The other source, too: ${second.message}`, first.details, first)
}
