import { LedgerError } from '#src/domain/errors.ts'
import type { Logger } from '#src/ports/logger.ts'
import type { MessageLog, Position } from '#src/ports/message-log.ts'
import type { ParkedEvent, ProjectionWriter } from '#src/ports/read-store.ts'
import { LateWriter } from '#src/runtime/fold/late-writer.ts'
import { logUpTo } from '#src/runtime/fold/log-prefix.ts'
import { type AnyProjection, projectionLabel, readsRows } from '#src/runtime/fold/projection.ts'
import { ProjectionGroup } from '#src/runtime/fold/projection-group.ts'
import { ProjectionRun } from '#src/runtime/fold/projection-run.ts'
import { defaultProjectorLimits, type ProjectorLimits } from '#src/runtime/fold/projector-limits.ts'
import { RowMemory } from '#src/runtime/fold/row-memory.ts'

export interface FoldLateOptions {
  readonly log: MessageLog
  /** Of the instance; its checkpoint stays. */
  readonly writer: ProjectionWriter
  readonly projection: AnyProjection
  readonly sequence: Position
  readonly limits?: Partial<ProjectorLimits>
  readonly logger: Logger
}

/**
 * Writes the rows of an event that the checkpoint has passed already. Lists are merged in the order of the log: what the event
 * adds to them is kept beside the merged ones, and found like them. Resolves to the event with the reason where it cannot be
 * folded. Refuses projections whose rows depend on the order of events with `operation_refused`.
 */
export async function foldLate(options: FoldLateOptions): Promise<ParkedEvent | undefined> {
  const { log, projection, sequence, logger } = options
  assertOrderFree(projection)
  const limits = { ...defaultProjectorLimits, ...options.limits }
  const writer = new LateWriter(options.writer, sequence - 1)
  const memory = new RowMemory(limits.cacheBytesMax)
  const run = new ProjectionRun({ ...limits, projection, writer, logger, strict: false, memory, late: 'all' })
  const group = new ProjectionGroup({ log: logUpTo(log, sequence), limits, logger, follow: false })
  try {
    await group.follow(run)
    await group.closed()
    return writer.refused
  } finally {
    await run.close()
  }
}

function assertOrderFree(projection: AnyProjection): void {
  if (projection.orderFree && !readsRows(projection)) return
  const rebuild = `ledger-history projections rebuild ${projection.schema.name}`
  const message = `Projection ${projectionLabel(projection)} depends on the order of events, so none is folded late; build it anew with "${rebuild}"`
  throw new LedgerError('operation_refused', message)
}
