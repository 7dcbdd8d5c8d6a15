import { type Logger, silentLogger } from '#src/ports/logger.ts'
import type { MessageLog } from '#src/ports/message-log.ts'
import type { ReadStore } from '#src/ports/read-store.ts'
import type { AnyProjection } from '#src/runtime/fold/projection.ts'
import type { GroupOptions } from '#src/runtime/fold/projection-group.ts'
import { ProjectionGroups } from '#src/runtime/fold/projection-groups.ts'
import { closeRun, openRun } from '#src/runtime/fold/projection-open.ts'
import type { ProjectionRun } from '#src/runtime/fold/projection-run.ts'
import {
  defaultProjectorLimits,
  type ProjectionProgress,
  type ProjectorLimits,
} from '#src/runtime/fold/projector-limits.ts'
import { RowMemory } from '#src/runtime/fold/row-memory.ts'
import type { LateEvents } from '#src/runtime/lists/list-writer.ts'
import { retryWhileAway } from '#src/runtime/process/retry.ts'

export interface RunProjectionsOptions {
  readonly log: MessageLog
  readonly store: ReadStore
  readonly projections: readonly AnyProjection[]
  /** true: go on with new events until the signal; false: return at the end of the log. */
  readonly follow: boolean
  /** true: stop at the first event that cannot be folded, even where it could be parked. */
  readonly strict?: boolean
  /** Events whose entries of lists are to stand behind the others, as in rows that these are compared with. */
  readonly late?: LateEvents
  readonly signal?: AbortSignal
  readonly logger?: Logger
  readonly limits?: Partial<ProjectorLimits>
  readonly onProgress?: (progress: ProjectionProgress) => void
  /** Awaited after each batch with its number of events: a way to slow down. */
  readonly pace?: GroupOptions['pace']
}

/**
 * Brings projections forward along the log. Those close together share one reader and one decode, those at the
 * head and those that catch up. Rejects when one of them must stop;
 * the others stop with it. Only an unavailable log or store, and with `follow` another owner, are waited for.
 */
export async function runProjections(options: RunProjectionsOptions): Promise<void> {
  const limits = { ...defaultProjectorLimits, ...options.limits }
  const memory = new RowMemory(limits.cacheBytesMax)
  const logger = options.logger ?? silentLogger
  const { signal, follow, strict = false } = options
  let commits = 0
  const onProgress = (progress: ProjectionProgress): void => {
    commits += 1
    options.onProgress?.(progress)
  }
  await retryWhileAway(() => runOnce({ ...options, signal, strict, limits, memory, logger, onProgress }), {
    signal,
    logger,
    progress: () => commits,
    alsoWaitFor: follow ? ['owner_busy'] : [],
    retryMinMs: limits.retryMinMs,
    retryMaxMs: limits.retryMaxMs,
  })
}

type Loop = GroupOptions &
  Pick<RunProjectionsOptions, 'store' | 'projections' | 'late'> & {
    readonly strict: boolean
    readonly memory: RowMemory
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
  const groups = new ProjectionGroups(loop)
  const failed = new AbortController()
  const signal = loop.signal ? AbortSignal.any([loop.signal, failed.signal]) : failed.signal
  let firstError: unknown
  const guarded = async (run: ProjectionRun): Promise<void> => {
    try {
      await groups.keep(run, signal)
    } catch (error) {
      firstError ??= error
      failed.abort()
    }
  }
  await Promise.all(runs.map(guarded))
  await groups.closed()
  if (firstError !== undefined) throw firstError
}
