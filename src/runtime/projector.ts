import { setImmediate as nextTurn } from 'node:timers/promises'
import { LedgerError } from '#src/domain/errors.ts'
import { type Logger, silentLogger } from '#src/ports/logger.ts'
import type { LogBatch, MessageLog, Position } from '#src/ports/message-log.ts'
import type { ReadStore } from '#src/ports/read-store.ts'
import { createSharedDecoder } from '#src/runtime/decoder.ts'
import type { AnyProjection } from '#src/runtime/projection.ts'
import { ProjectionRun } from '#src/runtime/projection-run.ts'
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
}

/**
 * Brings projections forward along the log. Those close together share one reader and one decode; each of those far
 * behind reads alone, while the others go on, and joins them when it has caught up. Rejects when one of them must stop;
 * the others stop with it. Only an unavailable log or store, and with `follow` another owner, are waited for.
 */
export async function runProjections(options: RunProjectionsOptions): Promise<void> {
  const limits = { ...defaultProjectorLimits, ...options.limits }
  const logger = options.logger ?? silentLogger
  const { signal, follow } = options
  let commits = 0
  const onProgress = (progress: ProjectionProgress): void => {
    commits += 1
    options.onProgress?.(progress)
  }
  await retryWhileAway(() => runOnce({ ...options, limits, logger, onProgress }), {
    signal,
    logger,
    progress: () => commits,
    alsoWaitFor: follow ? ['owner_busy'] : [],
    retryMinMs: limits.retryMinMs,
    retryMaxMs: limits.retryMaxMs,
  })
}

interface Loop extends RunProjectionsOptions {
  readonly limits: ProjectorLimits
  readonly logger: Logger
}

/** Projections that share a reader. One that reads alone may join as long as it is not behind `position`. */
interface Group {
  readonly runs: ProjectionRun[]
  /** Newest sequence that the group has begun to fold. */
  position: Position
  decode: Decoder
}

type Decoder = ReturnType<typeof createSharedDecoder>

async function runOnce(loop: Loop): Promise<void> {
  const runs: ProjectionRun[] = []
  try {
    for (const projection of loop.projections) runs.push(await openRun(loop, projection))
    await runTogether(loop, runs)
  } finally {
    // What a failing close says is worth less than what made the runs end.
    const closed = await Promise.allSettled(runs.map((run) => run.close()))
    for (const result of closed) {
      if (result.status === 'rejected')
        loop.logger.warn({ reason: String(result.reason) }, 'closing a projection failed')
    }
  }
}

/** The first failure stops all loops, which are waited for, and is what the caller learns. */
async function runTogether(loop: Loop, runs: readonly ProjectionRun[]): Promise<void> {
  const foremost = Math.max(...runs.map((run) => run.position))
  const isFarBehind = (run: ProjectionRun): boolean => foremost - run.position > loop.limits.sharedLagMax
  const group = createGroup(runs.filter((run) => !isFarBehind(run)))
  const failed = new AbortController()
  const signal = loop.signal ? AbortSignal.any([loop.signal, failed.signal]) : failed.signal
  const stoppable = { ...loop, signal }
  let firstError: unknown
  const guarded = async (work: Promise<void>): Promise<void> => {
    try {
      await work
    } catch (error) {
      firstError ??= error
      failed.abort()
    }
  }
  await Promise.all([
    guarded(followTogether(stoppable, group)),
    ...runs.filter(isFarBehind).map((run) => guarded(catchUp(stoppable, run, group))),
  ])
  if (firstError !== undefined) throw firstError
}

function createGroup(runs: ProjectionRun[]): Group {
  return { runs, position: Math.min(...runs.map((run) => run.position)), decode: decoderOf(runs) }
}

function decoderOf(runs: readonly ProjectionRun[]): Decoder {
  return createSharedDecoder(runs.map(({ projection }) => projection))
}

async function followTogether(loop: Loop, group: Group): Promise<void> {
  for await (const batch of readBatches(loop, group.position, loop.follow)) {
    group.position = batch.records.at(-1)?.sequence ?? group.position
    await foldBatch(loop, group.runs, batch, group.decode)
  }
  for (const run of group.runs) await commit(loop, run, run.position)
}

/** Brings one projection to where the group is, again and again reading to the log's end, and hands it over there. */
async function catchUp(loop: Loop, run: ProjectionRun, group: Group): Promise<void> {
  const decode = decoderOf([run])
  do {
    for await (const batch of readBatches(loop, run.position, false)) await foldBatch(loop, [run], batch, decode)
    await commit(loop, run, run.position)
    if (!loop.follow) return
  } while (run.position < group.position && !loop.signal?.aborted)
  group.runs.push(run)
  group.decode = decoderOf(group.runs)
}

async function openRun(loop: Loop, projection: AnyProjection): Promise<ProjectionRun> {
  const { log, store, logger, limits, strict = false } = loop
  const writer = await store.openWriter(projection.schema)
  const run = new ProjectionRun({ projection, writer, logger, strict, cachedRowsMax: limits.cachedRowsMax })
  try {
    // Only after the writer is open: an earlier owner may have gone on until then.
    const { sequence: head } = await log.head()
    if (run.position > head) throw ahead(run, head)
    await replayWindow(log, run, limits)
    const { name, version } = projection.schema
    logger.debug({ projection: name, version, position: run.position, head }, 'projection opened')
    return run
  } catch (error) {
    await run.close()
    throw error
  }
}

/** Rows of events that the log no longer has: it was restored from an older copy or belongs to another store. */
function ahead(run: ProjectionRun, head: Position): LedgerError {
  return new LedgerError(
    'checkpoint_ahead',
    `Projection ${run.label} stands at ${run.position}, but the log ends at ${head}: they do not belong together; restore the log, or delete the read models so that they are built again`,
    { projection: run.projection.schema.name, position: run.position, head },
  )
}

async function replayWindow(log: MessageLog, run: ProjectionRun, limits: ProjectorLimits): Promise<void> {
  let after = run.replayFrom
  if (after === run.position) return
  const decode = createSharedDecoder([run.projection])
  for await (const { records } of log.read({
    after,
    countMax: limits.readCountMax,
    bytesMax: limits.readBytesMax,
    follow: false,
  })) {
    run.replay(records, decode)
    after += records.length
    if (after >= run.position) return
  }
}

function readBatches({ log, limits, signal }: Loop, after: Position, follow: boolean): AsyncIterable<LogBatch> {
  const { readCountMax: countMax, readBytesMax: bytesMax } = limits
  return log.read({ after, countMax, bytesMax, follow, ...(signal ? { signal } : {}) })
}

async function foldBatch(
  loop: Loop,
  runs: readonly ProjectionRun[],
  { records, head }: LogBatch,
  decode: Decoder,
): Promise<void> {
  const events = records.map(decode)
  const last = records[records.length - 1]?.sequence ?? 0
  for (const run of runs) {
    await run.fold(records, events)
    if (run.uncommitted >= loop.limits.commitEventsMax || last >= head) await commit(loop, run, head)
  }
  // Lets messages, timers and the stop signal through between batches.
  await nextTurn()
}

async function commit(loop: Loop, run: ProjectionRun, head: Position): Promise<void> {
  const events = run.uncommitted
  if (events === 0) return
  const started = performance.now()
  await run.commit()
  const { name, version } = run.projection.schema
  const seconds = (performance.now() - started) / 1_000
  loop.logger.debug(
    { projection: name, version, events, position: run.position, lagEvents: head - run.position },
    'batch committed',
  )
  loop.onProgress?.({ name, version, position: run.position, head, time: run.time, events, seconds })
}
