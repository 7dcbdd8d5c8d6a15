import { LedgerError } from '#src/domain/errors.ts'
import type { Logger } from '#src/ports/logger.ts'
import type { MessageLog, Position } from '#src/ports/message-log.ts'
import type { ParkedEvent, ProjectionWriter } from '#src/ports/read-store.ts'
import { logUpTo } from '#src/runtime/fold/log-prefix.ts'
import { type AnyProjection, needsRows, projectionLabel } from '#src/runtime/fold/projection.ts'
import { ProjectionGroup } from '#src/runtime/fold/projection-group.ts'
import { ProjectionRun } from '#src/runtime/fold/projection-run.ts'
import { defaultProjectorLimits, type ProjectorLimits } from '#src/runtime/fold/projector-limits.ts'
import { RangeWriter } from '#src/runtime/fold/range-writer.ts'
import { RowMemory } from '#src/runtime/fold/row-memory.ts'

/** Rows of a range wait in memory for their commit. */
const heldEventsMax = 8_192

export interface FoldRangeOptions {
  readonly log: MessageLog
  /** Of the instance; its checkpoint stays. */
  readonly writer: ProjectionWriter
  readonly projection: AnyProjection
  /** Events after this one, which ends a window where the projection has windows. */
  readonly from: Position
  /** Up to this one: it ends a window, too, or is where the instance or the log ends. */
  readonly to: Position
  /** true: stop at the first event that cannot be folded. */
  readonly strict: boolean
  readonly limits?: Partial<ProjectorLimits>
  readonly signal?: AbortSignal
  readonly logger: Logger
}

export interface FoldedRange {
  /** Last sequence folded. */
  readonly position: Position
  /** Greatest consensus time that a checkpoint there would carry from this range. */
  readonly time: bigint
  readonly refused: readonly ParkedEvent[]
}

/**
 * Writes the rows of a range of events into an instance without moving its checkpoint. Where rows never depend on the order
 * of events, ranges of whole windows may be folded in any order, by any number of processes one after the other or into
 * stores of their own, and give the rows of one pass over the log. Lists are merged in the order of the log: what a range adds
 * to them is kept beside the merged ones, and found like them. Refuses other projections with `operation_refused`.
 */
export async function foldRange(options: FoldRangeOptions): Promise<FoldedRange> {
  const { log, projection, from, to, strict, signal, logger } = options
  assertRange(projection, from)
  const given = { ...defaultProjectorLimits, ...options.limits }
  const limits = { ...given, commitEventsMax: Math.min(given.commitEventsMax, heldEventsMax) }
  const writer = new RangeWriter(options.writer, from)
  const memory = new RowMemory(limits.cacheBytesMax)
  const run = new ProjectionRun({ ...limits, projection, writer, logger, strict, memory, late: 'all' })
  const group = new ProjectionGroup({ log: logUpTo(log, to), limits, logger, follow: false })
  try {
    await group.follow(run, signal)
    await group.closed()
    return { position: run.position, time: run.time, refused: writer.refused }
  } finally {
    await run.close()
  }
}

/** Whether folding ranges of this projection in any order gives the rows of one pass. */
export function foldsByRange(projection: AnyProjection): boolean {
  const { orderFree, schema, source } = projection
  if (schema.lists || source === 'decisions') return false
  return orderFree && !needsRows(projection) && Object.values(schema.collections).every(({ appendOnly }) => appendOnly)
}

function assertRange(projection: AnyProjection, from: Position): void {
  const label = projectionLabel(projection)
  if (!projection.orderFree || needsRows(projection)) {
    throw new LedgerError(
      'operation_refused',
      `Projection ${label} depends on the order of events; fold it in one pass`,
    )
  }
  const size = projection.window?.size ?? 1
  if (from % size === 0) return
  const message = `Event ${from} does not end a window of ${size} events of projection ${label}; begin a range at a multiple of it`
  throw new LedgerError('operation_refused', message)
}
