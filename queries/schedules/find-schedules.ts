import { type ScheduleSignature, unpackSignatures } from '#projections/schedules/packing.ts'
import type { ScheduleRow } from '#projections/schedules/schema.ts'
import { type EntityReference, numbersOf } from '#queries/common/entity-id-parameter.ts'
import { firstOf, growing, inSteps, type Step } from '#queries/common/in-steps.ts'
import type { ListRequest } from '#queries/common/list-route.ts'
import type { Filter } from '#queries/common/parameters.ts'
import { includes, requireEqual, type Selection, selectionOf, without } from '#queries/common/range.ts'
import type { scheduleParameters } from '#queries/schedules/params.ts'
import type { ScheduleContext } from '#queries/schedules/reads.ts'
import { minInt64 } from '#src/domain/ledger-time.ts'

const fields = [
  'id',
  'created',
  'creator',
  'payer',
  'adminKey',
  'memo',
  'waits',
  'body',
  'executed',
  'deleted',
  'expiration',
  'signatures',
] as const
type FoundRow = Pick<ScheduleRow, (typeof fields)[number]>

export type FoundSchedule = Omit<FoundRow, 'signatures'> & { readonly signatures: readonly ScheduleSignature[] }

/** Rows that a search for a range of creators reads at once: from a page to this many. */
const batchMax = 1_000

/**
 * A page of schedules. Those of one creator are one read; where a range of creators is asked for, schedules are read in the
 * order of the list until enough are of it.
 */
export async function findSchedules(
  { filters, order, limit }: ListRequest<typeof scheduleParameters>,
  context: ScheduleContext,
): Promise<FoundSchedule[]> {
  const ids = rangeOf(filters['schedule.id'])
  const creators = rangeOf(filters['account.id'])
  if (ids === undefined || creators === undefined) return []
  const find = (step: Step) => findRange({ step, ids, creators }, context)
  const steps = inSteps({ ...ids, order, limit, next: growing(batchMax) }, context.pause, find, ({ id }) => id)
  const { time } = context.checkpoint
  const found = await firstOf(steps, limit, (row) => row.created <= time && isOf(row, creators))
  return found.map((row) => atInstant(row, context))
}

export async function findSchedule(id: bigint, context: ScheduleContext): Promise<FoundSchedule | undefined> {
  const [row] = await context.rows.schedules.get('schedules', [[id]], fields)
  return row && row.created <= context.checkpoint.time ? atInstant(row, context) : undefined
}

/** Undefined when nothing can be in it: an address is nobody's here and compares with nobody, as established clients know it. */
function rangeOf(filters: readonly Filter<EntityReference>[]): Selection | undefined {
  const numbers = numbersOf(filters)
  return numbers && requireEqual(selectionOf(numbers, minInt64))
}

interface Search {
  readonly step: Step
  readonly ids: Selection
  readonly creators: Selection
}

function findRange({ step, ids, creators }: Search, { rows }: ScheduleContext): Promise<FoundRow[]> {
  const range = { ...step, collection: 'schedules', filters: without('id', ids), select: fields } as const
  return creators.lower === creators.upper
    ? rows.schedules.find({ ...range, index: ['creator', 'id'], prefix: [creators.lower] })
    : rows.schedules.find({ ...range, index: ['id'] })
}

/** Whether creators are asked for that no index finds. */
function isRanged({ hasLower, hasUpper, excluded }: Selection): boolean {
  return hasLower || hasUpper || excluded.length > 0
}

function isOf({ creator }: FoundRow, creators: Selection): boolean {
  return !isRanged(creators) || (creator !== null && includes(creators, creator))
}

/** A schedule as it was at the request's instant. */
function atInstant(row: FoundRow, { checkpoint: { time } }: ScheduleContext): FoundSchedule {
  return {
    ...row,
    executed: isLater(row.executed, time) ? null : row.executed,
    deleted: isLater(row.deleted, time) ? null : row.deleted,
    signatures: unpackSignatures(row.signatures).filter((each) => each.time <= time),
  }
}

function isLater(event: bigint | null, time: bigint): boolean {
  return event !== null && event > time
}
