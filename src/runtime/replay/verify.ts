import { setImmediate as nextTurn } from 'node:timers/promises'
import { LedgerError } from '#src/domain/errors.ts'
import { type Logger, silentLogger } from '#src/ports/logger.ts'
import type { MessageLog, Position } from '#src/ports/message-log.ts'
import type { CollectionSchema, ReadStore, Row, RowReader, Value } from '#src/ports/read-store.ts'
import { logUpTo } from '#src/runtime/fold/log-prefix.ts'
import { type AnyProjection, projectionLabel } from '#src/runtime/fold/projection.ts'
import { runProjections } from '#src/runtime/fold/projector.ts'
import type { ProjectorLimits } from '#src/runtime/fold/projector-limits.ts'
import { findLateTimes } from '#src/runtime/lists/late-times.ts'
import type { LateEvents } from '#src/runtime/lists/list-writer.ts'
import { digestOf, keyOf } from '#src/runtime/replay/digest.ts'

export interface VerifyProgress {
  readonly stage: 'fold' | 'compare'
  /** Events folded of those to fold, or rows compared so far. */
  readonly position: number
  /** undefined while comparing: nobody counts rows beforehand. */
  readonly head: number | undefined
}

export interface VerifyOptions {
  readonly log: MessageLog
  readonly store: ReadStore
  /** With the instance's build in its schema. Nobody may move the instance meanwhile: pause it. */
  readonly projection: AnyProjection
  /** A store that is thrown away afterwards. */
  readonly scratch: ReadStore
  /** Rows compared by one digest. */
  readonly rangeRows?: number
  readonly limits?: Partial<ProjectorLimits>
  readonly signal?: AbortSignal
  readonly logger: Logger
  readonly onProgress?: (progress: VerifyProgress) => void
}

/** The first row that is not as the log says. `missing`: the log has it. `extra`: the log does not. */
export interface RowDifference {
  readonly kind: 'missing' | 'extra' | 'different'
  readonly collection: string
  /** Values of the key fields by name. */
  readonly key: Readonly<Record<string, Value>>
  /** The first field that differs, with both values; only where kind is `different`. */
  readonly field?: string
  readonly stored?: Value
  readonly expected?: Value
}

export interface VerifyResult {
  /** The instance's checkpoint, up to which the rows were compared. */
  readonly position: Position
  readonly ranges: number
  readonly rows: number
  /** undefined when all rows are as the log says. */
  readonly difference: RowDifference | undefined
  /** Events that the fold refused; their rows are missing on both sides. */
  readonly parked: number
}

/**
 * Folds the log anew into the scratch store, up to exactly where the instance stands, and compares digests of both, range
 * by range. Events that were parked and folded again later are late here as well: their entries stand behind the others in
 * lists. In the first range that differs the first differing row is named. Holds a range of rows at a time. Rejects with
 * `operation_refused` when the instance was never built or moved meanwhile, with `checkpoint_ahead` when the log ends before it.
 */
export async function verifyRows(options: VerifyOptions): Promise<VerifyResult> {
  const { store, scratch, projection } = options
  const stored = await store.openReader(projection.schema)
  try {
    const position = await positionToVerify(options, stored)
    await foldAnew(options, position, await findLateTimes(stored, projection.schema))
    const expected = await scratch.openReader(projection.schema)
    try {
      const compared = await compareAll(options, stored, expected)
      const parked = await stored.parkedCount()
      if (((await stored.checkpoint())?.position ?? 0) !== position) throw moved(projection, position)
      return { position, parked, ...compared }
    } finally {
      await expected.close()
    }
  } finally {
    await stored.close()
  }
}

async function positionToVerify({ log, projection }: VerifyOptions, stored: RowReader): Promise<Position> {
  const label = projectionLabel(projection)
  const position = (await stored.checkpoint())?.position
  if (position === undefined)
    throw new LedgerError('operation_refused', `Projection ${label} was never built here, so it has no rows to verify`)
  const { sequence: head } = await log.head()
  if (position <= head) return position
  const message = `Projection ${label} stands at ${position}, but the log ends at ${head}: they do not belong together; restore the log, or rebuild the read model`
  throw new LedgerError('checkpoint_ahead', message, { projection: projection.schema.name, position, head })
}

async function foldAnew(options: VerifyOptions, position: Position, late: LateEvents): Promise<void> {
  const { log, scratch, projection, limits, signal, logger, onProgress } = options
  await runProjections({
    log: logUpTo(log, position),
    store: scratch,
    projections: [projection],
    follow: false,
    late,
    // What is parked here as well is no difference, and was said when it was parked.
    logger: { ...silentLogger, warn: (fields, message) => logger.warn(fields, message) },
    ...(limits && { limits }),
    ...(signal && { signal }),
    onProgress: (progress) => onProgress?.({ stage: 'fold', position: progress.position, head: position }),
  })
  if (signal?.aborted) throw stopped()
}

type Compared = Pick<VerifyResult, 'ranges' | 'rows' | 'difference'>

async function compareAll(options: VerifyOptions, stored: RowReader, expected: RowReader): Promise<Compared> {
  const { projection, rangeRows = 1_000, onProgress, signal } = options
  let ranges = 0
  let rows = 0
  for (const [name, collection] of Object.entries(projection.schema.collections)) {
    let after: Value[] | undefined
    for (;;) {
      const [ours, theirs] = [await stored.scan(name, after, rangeRows), await expected.scan(name, after, rangeRows)]
      if (ours.length === 0 && theirs.length === 0) break
      ranges += 1
      rows += ours.length
      if (digestOf(ours, collection) !== digestOf(theirs, collection))
        return { ranges, rows, difference: firstDifference(name, collection, ours, theirs) }
      after = keyOf(ours.at(-1)!, collection)
      // Lets the stop signal through where the store answers at once.
      await nextTurn()
      onProgress?.({ stage: 'compare', position: rows, head: undefined })
      if (signal?.aborted) throw stopped()
    }
  }
  return { ranges, rows, difference: undefined }
}

function firstDifference(
  name: string,
  collection: CollectionSchema,
  stored: readonly Row[],
  expected: readonly Row[],
): RowDifference {
  for (let index = 0; index < Math.max(stored.length, expected.length); index++) {
    const difference = compareRows(name, collection, stored[index], expected[index])
    if (difference) return difference
  }
  throw new Error(`Rows of ${name} have different digests, but no field differs`)
}

function compareRows(
  name: string,
  collection: CollectionSchema,
  ours: Row | undefined,
  theirs: Row | undefined,
): RowDifference | undefined {
  const named = (row: Row) => ({
    collection: name,
    key: Object.fromEntries(collection.key.map((field) => [field, row[field] ?? null])),
  })
  const order = ours && theirs ? compareKeys(keyOf(ours, collection), keyOf(theirs, collection)) : 0
  if (theirs && (!ours || order > 0)) return { kind: 'missing', ...named(theirs) }
  if (ours && (!theirs || order < 0)) return { kind: 'extra', ...named(ours) }
  for (const field of Object.keys(collection.fields)) {
    const [is, should] = [ours?.[field] ?? null, theirs?.[field] ?? null]
    // The digest tells kinds apart, too.
    if (typeof is !== typeof should || compareValues(is, should) !== 0)
      return { kind: 'different', ...named(ours!), field, stored: is, expected: should }
  }
  return undefined
}

function compareKeys(left: readonly Value[], right: readonly Value[]): number {
  for (const [index, value] of left.entries()) {
    const order = compareValues(value, right[index] ?? null)
    if (order !== 0) return order
  }
  return 0
}

/** In the order of the port: numbers by value, text by its UTF-8 bytes, absent before all. */
function compareValues(left: Value, right: Value): number {
  if (left === null || right === null) return Number(left !== null) - Number(right !== null)
  if (isOrdered(left) && isOrdered(right)) return left < right ? -1 : left > right ? 1 : 0
  return Buffer.compare(bytesOf(left), bytesOf(right))
}

function isOrdered(value: Value): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint'
}

function bytesOf(value: Value): Uint8Array {
  return value instanceof Uint8Array ? value : Buffer.from(String(value))
}

function stopped(): LedgerError {
  return new LedgerError('interrupted', 'The verification was stopped before its end, so it says nothing')
}

function moved(projection: AnyProjection, position: Position): LedgerError {
  const label = projectionLabel(projection)
  const message = `Projection ${label} moved on from ${position} while it was verified; pause it first`
  return new LedgerError('operation_refused', message, { projection: projection.schema.name, position })
}
