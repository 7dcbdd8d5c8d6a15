import type { Logger } from '#src/ports/logger.ts'
import type { MessageLog, Position } from '#src/ports/message-log.ts'
import type { ReadStore, RowReader, Value } from '#src/ports/read-store.ts'
import { logUpTo } from '#src/runtime/fold/log-prefix.ts'
import type { AnyProjection } from '#src/runtime/fold/projection.ts'
import { ProjectionGroup } from '#src/runtime/fold/projection-group.ts'
import { closeRun, openRun } from '#src/runtime/fold/projection-open.ts'
import { runProjections } from '#src/runtime/fold/projector.ts'
import {
  defaultProjectorLimits,
  type ProjectionProgress,
  type ProjectorLimits,
} from '#src/runtime/fold/projector-limits.ts'
import { RowMemory } from '#src/runtime/fold/row-memory.ts'
import { retryWhileAway } from '#src/runtime/process/retry.ts'
import { rowsInOrder } from '#src/runtime/replay/digest.ts'
import { createThrottle } from '#src/runtime/replay/throttle.ts'
import { MeanRate } from '#src/runtime/watch/mean-rate.ts'

export interface RebuildProgress {
  readonly position: Position
  readonly head: Position
  /** Over the last seconds. */
  readonly eventsPerSecond: number
  /** undefined while the rate is not known yet. */
  readonly etaSeconds: number | undefined
  /** Number of the ownership of the rows that are written. */
  readonly epoch: number
}

export interface RebuildOptions {
  /** Of the generation that the instance is folded from. */
  readonly log: MessageLog
  readonly store: ReadStore
  /** With the instance's build in its schema; see `projectionOfInstance`. */
  readonly projection: AnyProjection
  readonly limits?: Partial<ProjectorLimits>
  /** Asked after each batch; undefined for as fast as it goes. */
  readonly eventsPerSecondMax?: () => number | undefined
  readonly signal?: AbortSignal
  readonly logger: Logger
  /** Once it has begun, then after each commit. */
  readonly onProgress?: (progress: RebuildProgress) => void
}

export interface RebuildResult {
  /** Whether it reached the end of the log; false when the signal came first. Run again, it goes on. */
  readonly finished: boolean
  readonly position: Position
}

/** So close to the head a rebuild is done: whoever follows the log folds the rest at once. */
const doneLagMax = 1_000
const smallestBatch = 16
/** So long a dry run folds: long enough for a rate, short enough to wait for. */
export const dryRunSeconds = 20

/**
 * Brings an instance from its checkpoint to the end of the log, strictly: it stops at the first event that cannot be
 * folded. Waits while log or store are away; rejects with `owner_busy` while another process has the instance.
 */
export async function rebuildProjection(options: RebuildOptions): Promise<RebuildResult> {
  const { logger, signal } = options
  const { retryMinMs, retryMaxMs } = { ...defaultProjectorLimits, ...options.limits }
  let result: RebuildResult = { finished: false, position: 0 }
  let commits = 0
  const attempt = async (): Promise<void> => {
    result = await rebuildOnce(options, () => (commits += 1))
  }
  await retryWhileAway(attempt, { signal, logger, progress: () => commits, retryMinMs, retryMaxMs })
  return result
}

async function rebuildOnce(options: RebuildOptions, onCommit: () => void): Promise<RebuildResult> {
  const { log, logger, signal, onProgress, eventsPerSecondMax = () => undefined } = options
  const limits = throttledLimits({ ...defaultProjectorLimits, ...options.limits }, eventsPerSecondMax())
  const run = await openRun({ ...options, limits, memory: new RowMemory(limits.cacheBytesMax), strict: true })
  const rate = new MeanRate()
  const tell = ({ position, head }: Pick<ProjectionProgress, 'position' | 'head'>): void => {
    rate.add(performance.now(), position)
    const eventsPerSecond = rate.perSecond(performance.now())
    const etaSeconds = eventsPerSecond > 0 ? (head - position) / eventsPerSecond : undefined
    onProgress?.({ position, head, eventsPerSecond, etaSeconds, epoch: run.epoch })
  }
  const onCommitted = (progress: ProjectionProgress): void => {
    onCommit()
    tell(progress)
  }
  const pace = createThrottle({ perSecondMax: eventsPerSecondMax })
  try {
    let head = (await log.head()).sequence
    tell({ position: run.position, head })
    while (run.position < head && !signal?.aborted) {
      const group = new ProjectionGroup({ log, limits, logger, pace, follow: false, onProgress: onCommitted })
      await group.follow(run, signal)
      await group.closed()
      head = (await log.head()).sequence
      if (head - run.position <= doneLagMax) break
    }
    const wasStopped = signal?.aborted === true && run.position < head
    return { finished: !wasStopped, position: run.position }
  } finally {
    await closeRun(run, logger)
  }
}

/** Batches and commits of a second or two, so that a slow rebuild is steady and shows how far it is. */
function throttledLimits(limits: ProjectorLimits, perSecond: number | undefined): ProjectorLimits {
  if (perSecond === undefined) return limits
  const perBatch = Math.max(smallestBatch, Math.ceil(perSecond / 4))
  return {
    ...limits,
    readCountMax: Math.min(limits.readCountMax, perBatch),
    commitEventsMax: Math.min(limits.commitEventsMax, perBatch * 8),
  }
}

export interface DryRunOptions {
  readonly log: MessageLog
  /** A store that is thrown away afterwards. */
  readonly scratch: ReadStore
  readonly projection: AnyProjection
  /** How many events to fold, from the first; as many as `sampleSeconds` take unless given. */
  readonly events?: number | undefined
  readonly sampleSeconds?: number
  /** A sample that took less says nothing of the whole. */
  readonly sampleSecondsMin?: number
  readonly limits?: Partial<ProjectorLimits>
  readonly signal?: AbortSignal
  readonly logger: Logger
}

export interface DryRunResult {
  readonly events: number
  readonly head: Position
  readonly seconds: number
  readonly eventsPerSecond: number
  /** Rows there are after it, by collection, and roughly their bytes without indexes. */
  readonly rows: Readonly<Record<string, number>>
  readonly bytes: number
  /** For the whole log, into a store as fast as the scratch one; undefined where the sample was too short to tell. */
  readonly projected?: { readonly seconds: number; readonly bytes: number }
}

/**
 * Folds the first events into a store that is thrown away, strictly, and says what a rebuild would cost. What the first commit
 * took is left out of the rate: most of it is files, caches and code that get ready.
 */
export async function dryRunRebuild({
  log,
  scratch,
  projection,
  events,
  sampleSeconds = dryRunSeconds,
  sampleSecondsMin = 5,
  ...options
}: DryRunOptions): Promise<DryRunResult> {
  const started = performance.now()
  const isLong = events === undefined ? [AbortSignal.timeout(sampleSeconds * 1_000)] : []
  const commits: { readonly position: Position; readonly atMs: number }[] = []
  await runProjections({
    ...options,
    signal: AbortSignal.any([...(options.signal ? [options.signal] : []), ...isLong]),
    log: logUpTo(log, events ?? Number.MAX_SAFE_INTEGER),
    store: scratch,
    projections: [projection],
    follow: false,
    strict: true,
    onProgress: ({ position }) => commits.push({ position, atMs: performance.now() }),
  })
  const seconds = (performance.now() - started) / 1_000
  const { sequence: head } = await log.head()
  const reader = await scratch.openReader(projection.schema)
  try {
    const folded = (await reader.checkpoint())?.position ?? 0
    const { rows, bytes } = await sizeOf(reader, projection)
    const [first = { position: 0, atMs: started }, ...later] = commits
    const last = later.at(-1)
    const measured = last === undefined ? { position: 0, atMs: started } : first
    const end = last ?? { position: folded, atMs: started + seconds * 1_000 }
    const eventsPerSecond = ((end.position - measured.position) / (end.atMs - measured.atMs)) * 1_000
    const result = { events: folded, head, seconds, eventsPerSecond, rows, bytes }
    if (folded >= head) return { ...result, projected: { seconds, bytes } }
    if (folded === 0 || seconds < sampleSecondsMin) return result
    const left = (head - folded) / eventsPerSecond
    return { ...result, projected: { seconds: seconds + left, bytes: (bytes / folded) * head } }
  } finally {
    await reader.close()
  }
}

async function sizeOf(
  reader: RowReader,
  { schema }: AnyProjection,
): Promise<{ rows: Record<string, number>; bytes: number }> {
  const rows: Record<string, number> = {}
  let bytes = 0
  for (const [name, collection] of Object.entries(schema.collections)) {
    rows[name] = 0
    for await (const page of rowsInOrder(reader, name, collection)) {
      rows[name] += page.length
      for (const row of page) for (const value of Object.values(row)) bytes += bytesOf(value)
    }
  }
  return { rows, bytes }
}

function bytesOf(value: Value): number {
  if (value === null) return 0
  if (typeof value === 'string') return Buffer.byteLength(value)
  return value instanceof Uint8Array ? value.byteLength : 8
}
