import type { MessageLog } from '#src/ports/message-log.ts'
import type { ReadStore, RowReader } from '#src/ports/read-store.ts'
import type { ProjectionMetrics } from '#src/runtime/metrics.ts'
import type { AnyProjection } from '#src/runtime/projection.ts'
import type { ProjectionProgress } from '#src/runtime/projector.ts'
import type { ProjectionState, ProjectionStatus } from '#src/runtime/status.ts'

/** Further behind than this counts as catching up rather than following. */
const followingLagMax = 20_000

export interface ProjectionWatchOptions {
  readonly log: MessageLog
  readonly store: ReadStore
  readonly projections: readonly AnyProjection[]
  readonly metrics?: ProjectionMetrics
  /** Milliseconds. */
  readonly now: () => number
}

interface Movement {
  readonly position: number
  readonly atMs: number
}

/** Asks log and read store where each projection stands: what the projector itself says of its lag may be stale. */
export class ProjectionWatch {
  readonly #options: ProjectionWatchOptions
  readonly #readers = new Map<AnyProjection, RowReader>()
  readonly #moved = new Map<AnyProjection, Movement>()

  constructor(options: ProjectionWatchOptions) {
    this.#options = options
  }

  /** A commit of the projector. */
  observe({ name, version, events, seconds }: ProjectionProgress): void {
    this.#options.metrics?.observeBatch({ name, version }, events, seconds)
  }

  async measure(): Promise<ProjectionStatus[]> {
    const { log, projections } = this.#options
    const head = await log.head()
    const statuses: ProjectionStatus[] = []
    for (const projection of projections)
      statuses.push(await this.#measureOne(projection, head.sequence, head.time ?? 0n))
    return statuses
  }

  async #measureOne(projection: AnyProjection, head: number, headTime: bigint): Promise<ProjectionStatus> {
    const reader = await this.#readerOf(projection)
    const checkpoint = await reader.checkpoint()
    const parked = checkpoint === undefined ? 0 : await reader.parkedCount()
    const position = checkpoint?.position ?? 0
    const { name, version } = projection.schema
    const lagNs =
      position >= head || checkpoint === undefined || checkpoint.time === 0n ? 0n : headTime - checkpoint.time
    const lagSeconds = Math.max(0, Number(lagNs / 1_000_000n) / 1_000)
    const stalledSeconds = this.#stalledSeconds(projection, position, head)
    const state = stateOf(checkpoint === undefined, head - position)
    const status: ProjectionStatus = { name, version, position, head, lagSeconds, stalledSeconds, parked, state }
    this.#options.metrics?.observeStatus(status)
    return status
  }

  #stalledSeconds(projection: AnyProjection, position: number, head: number): number {
    const atMs = this.#options.now()
    const before = this.#moved.get(projection)
    if (before === undefined || before.position !== position || position >= head) {
      this.#moved.set(projection, { position, atMs })
      return 0
    }
    return (atMs - before.atMs) / 1_000
  }

  async #readerOf(projection: AnyProjection): Promise<RowReader> {
    const open = this.#readers.get(projection)
    if (open) return open
    const reader = await this.#options.store.openReader(projection.schema)
    this.#readers.set(projection, reader)
    return reader
  }

  async close(): Promise<void> {
    for (const reader of this.#readers.values()) await reader.close()
    this.#readers.clear()
  }
}

function stateOf(never: boolean, lagEvents: number): ProjectionState {
  if (never) return 'starting'
  return lagEvents > followingLagMax ? 'catching_up' : 'following'
}
