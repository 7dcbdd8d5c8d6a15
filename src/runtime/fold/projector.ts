import { type Logger, silentLogger } from '#src/ports/logger.ts'
import type { MessageLog, Position } from '#src/ports/message-log.ts'
import type { ReadStore } from '#src/ports/read-store.ts'
import type { AnyProjection } from '#src/runtime/projection.ts'
import { type GroupOptions, ProjectionGroup } from '#src/runtime/projection-group.ts'
import { closeRun, openRun } from '#src/runtime/projection-open.ts'
import type { ProjectionRun } from '#src/runtime/projection-run.ts'
import { retryWhileAway } from '#src/runtime/retry.ts'

export interface ProjectorLimits {
  /** Events and value bytes read at once. */
  readonly readCountMax: number
  readonly readBytesMax: number
  /** Events folded into one commit while catching up; at the head every batch is committed. */
  readonly commitEventsMax: number
  /** A projection further behind the others than this reads alone until it has caught up. */
  readonly sharedLagMax: number
  /** Rows of a stateful fold kept in memory. */
  readonly cachedRowsMax: number
  /** First and longest wait before an unavailable log or store is asked again. */
  readonly retryMinMs: number
  readonly retryMaxMs: number
}

export const defaultProjectorLimits: ProjectorLimits = {
  readCountMax: 2_048,
  readBytesMax: 4 << 20,
  commitEventsMax: 32_768,
  sharedLagMax: 50_000,
  cachedRowsMax: 100_000,
  retryMinMs: 100,
  retryMaxMs: 5_000,
}

export interface ProjectionProgress {
  readonly name: string
  readonly version: number
  readonly build: number
  /** Committed position and the newest sequence of the log. */
  readonly position: Position
  readonly head: Position
  /** Greatest consensus time folded, ns. */
  readonly time: bigint
  /** Events of this commit, and how long the store took to commit them. */
  readonly events: number
  readonly seconds: number
}

export interface RunProjectionsOptions {
  readonly log: MessageLog
  readonly store: ReadStore
  readonly projections: readonly AnyProjection[]
  /** true: go on with new events until the signal; false: return at the end of the log. */
  readonly follow: boolean
  /** true: stop at the first event that cannot be folded, even where it could be parked. */
  readonly strict?: boolean
  readonly signal?: AbortSignal
  readonly logger?: Logger
  readonly limits?: Partial<ProjectorLimits>
  readonly onProgress?: (progress: ProjectionProgress) => void
  /** Awaited after each batch with its number of events: a way to slow down. */
  readonly pace?: GroupOptions['pace']
}

/**
 * Brings projections forward along the log. Those close together share one reader and one decode; each of those far
 * behind reads alone, while the others go on, and joins them when it has caught up. Rejects when one of them must stop;
 * the others stop with it. Only an unavailable log or store, and with `follow` another owner, are waited for.
 */
export async function runProjections(options: RunProjectionsOptions): Promise<void> {
  const limits = { ...defaultProjectorLimits, ...options.limits }
  const logger = options.logger ?? silentLogger
  const { signal, follow, strict = false } = options
  let commits = 0
  const onProgress = (progress: ProjectionProgress): void => {
    commits += 1
    options.onProgress?.(progress)
  }
  await retryWhileAway(() => runOnce({ ...options, signal, strict, limits, logger, onProgress }), {
    signal,
    logger,
    progress: () => commits,
    alsoWaitFor: follow ? ['owner_busy'] : [],
    retryMinMs: limits.retryMinMs,
    retryMaxMs: limits.retryMaxMs,
  })
}

type Loop = GroupOptions &
  Pick<RunProjectionsOptions, 'store' | 'projections'> & {
    readonly strict: boolean
    readonly signal: AbortSignal | undefined
  }

async function runOnce(loop: Loop): Promise<void> {
  const runs: ProjectionRun[] = []
  try {
    for (const projection of loop.projections) runs.push(await openRun({ ...loop, projection }))
    await runTogether(loop, runs)
  } finally {
    await Promise.all(runs.map((run) => closeRun(run, loop.logger)))
  }
}

/** The first failure stops all loops, which are waited for, and is what the caller learns. */
async function runTogether(loop: Loop, runs: readonly ProjectionRun[]): Promise<void> {
  const group = new ProjectionGroup(loop)
  const failed = new AbortController()
  const signal = loop.signal ? AbortSignal.any([loop.signal, failed.signal]) : failed.signal
  let firstError: unknown
  const guarded = async (run: ProjectionRun): Promise<void> => {
    try {
      await keepRun(run, group, signal)
    } catch (error) {
      firstError ??= error
      failed.abort()
    }
  }
  await Promise.all(runs.map(guarded))
  await group.closed()
  if (firstError !== undefined) throw firstError
}

/**
 * Brings a projection forward with the group, alone as long as it is far behind it, until the signal or, unless the group
 * follows the log, its end.
 */
export async function keepRun(run: ProjectionRun, group: ProjectionGroup, signal: AbortSignal): Promise<void> {
  for (;;) {
    while (!group.takes(run)) {
      await catchUp(group.options, run, signal)
      if (signal.aborted || !group.options.follow) return
    }
    if ((await group.follow(run, signal)) === 'ended') return
  }
}

/** Alone to the end of the log as it is. */
async function catchUp(options: GroupOptions, run: ProjectionRun, signal: AbortSignal): Promise<void> {
  const alone = new ProjectionGroup({ ...options, follow: false })
  await alone.follow(run, signal)
  await alone.closed()
}
