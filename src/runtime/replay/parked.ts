import { LedgerError } from '#src/domain/errors.ts'
import { instanceId } from '#src/operations/plan.ts'
import type { Logger } from '#src/ports/logger.ts'
import type { MessageLog, Position } from '#src/ports/message-log.ts'
import type { ParkedEvent, ProjectionSchema, ReadStore } from '#src/ports/read-store.ts'
import { foldLate } from '#src/runtime/fold/fold-late.ts'
import type { AnyProjection } from '#src/runtime/fold/projection.ts'
import type { ProjectorLimits } from '#src/runtime/fold/projector-limits.ts'

export interface ParkedPage {
  readonly events: readonly ParkedEvent[]
  readonly total: number
}

/** Parked events after a sequence, in order. */
export async function listParked(
  store: ReadStore,
  schema: ProjectionSchema,
  after: Position,
  limit: number,
): Promise<ParkedPage> {
  const reader = await store.openReader(schema)
  try {
    return { events: await reader.parked(after, limit), total: await reader.parkedCount() }
  } finally {
    await reader.close()
  }
}

export interface RetryParkedOptions {
  readonly log: MessageLog
  readonly store: ReadStore
  /** With the instance's build in its schema. Its owner must have let go: pause the instance; else `owner_busy`. */
  readonly projection: AnyProjection
  /** All unless given. `operation_refused` where one of them is not parked, or there is none. */
  readonly sequences?: readonly Position[]
  readonly limits?: Partial<ProjectorLimits>
  readonly logger: Logger
}

export interface RetryParkedResult {
  readonly folded: readonly Position[]
  /** Refused again, with today's reason. */
  readonly refused: readonly ParkedEvent[]
}

/**
 * Folds parked events again with today's code and writes their rows at the same checkpoint. An event is forgotten only after
 * its rows are written, so a kill in between leaves it parked, and it can be retried again.
 */
export async function retryParked(options: RetryParkedOptions): Promise<RetryParkedResult> {
  const { log, store, projection, sequences, limits, logger } = options
  const parked = await findParked(store, projection.schema, sequences)
  const writer = await store.openWriter(projection.schema)
  try {
    const folded: Position[] = []
    const refused: ParkedEvent[] = []
    for (const sequence of parked) {
      const refusal = await foldLate({ log, writer, projection, sequence, logger, ...(limits && { limits }) })
      if (refusal) {
        refused.push(refusal)
        continue
      }
      await writer.unpark([sequence])
      folded.push(sequence)
    }
    return { folded, refused }
  } finally {
    await writer.close()
  }
}

export interface SkipParkedOptions {
  readonly store: ReadStore
  readonly schema: ProjectionSchema
  /** All unless given. */
  readonly sequences?: readonly Position[] | undefined
}

/**
 * Gives parked events up: their rows stay missing. Resolves to their sequences. `operation_refused`, and nothing is given up,
 * where one of them is not parked. Needs the ownership as above.
 */
export async function skipParked({ store, schema, sequences }: SkipParkedOptions): Promise<readonly Position[]> {
  const parked = await findParked(store, schema, sequences)
  const writer = await store.openWriter(schema)
  try {
    await writer.unpark(parked)
    return parked
  } finally {
    await writer.close()
  }
}

/** Those wanted, which all have to be parked, and at least one. */
async function findParked(
  store: ReadStore,
  schema: ProjectionSchema,
  wanted: readonly Position[] | undefined,
): Promise<Position[]> {
  const found: Position[] = []
  for (;;) {
    const { events } = await listParked(store, schema, found.at(-1) ?? 0, pageRows)
    found.push(...events.map(({ sequence }) => sequence))
    if (events.length < pageRows) break
  }
  if (found.length === 0) throw notParked('No event is', schema)
  const isFound = new Set(found)
  const missing = [...new Set(wanted)].filter((sequence) => !isFound.has(sequence))
  if (missing.length > 0) throw notParked(`Event ${missing.join(', ')} is not`, schema)
  return wanted === undefined ? found : found.filter((sequence) => wanted.includes(sequence))
}

function notParked(what: string, { name, version, build = 1 }: ProjectionSchema): LedgerError {
  const id = instanceId({ version, build })
  const next = `"ledger-history projections parked list ${name} --version ${id}" lists those that are`
  const message = `${what} parked in ${name} v${id}; nothing was changed, ${next}`
  return new LedgerError('operation_refused', message, { name, id })
}

const pageRows = 1_000
