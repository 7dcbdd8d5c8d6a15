import { type EntityRow, entitiesSchema } from '#projections/entities/schema.ts'
import { type ScheduleRow, schedulesSchema } from '#projections/schedules/schema.ts'
import { findCurrent } from '#queries/accounts/find-version.ts'
import type { EntityReference } from '#queries/common/entity-id-parameter.ts'
import { combineRange, type IntegerRange, requireEqual } from '#queries/common/integer-range.ts'
import type { Filter, Filters } from '#queries/common/parameters.ts'
import { lastValue, pageSize } from '#queries/common/parameters.ts'
import type { QueryContext } from '#queries/common/route.ts'
import type { scheduleParameters } from '#queries/schedules/params.ts'
import { minInt64 } from '#src/domain/ledger-time.ts'

/** What schedules are read from: what all entities have is in the other. */
export const scheduleReads = { schedules: schedulesSchema, entities: entitiesSchema }

export type ScheduleContext = QueryContext<typeof scheduleReads>

/** What is shown of the entity. */
const entityFields = ['id', 'from', 'key', 'deleted', 'memo'] as const

export interface FoundSchedule {
  readonly schedule: ScheduleRow
  readonly entity: Pick<EntityRow, (typeof entityFields)[number]> | undefined
}

const fields = [
  'id',
  'created',
  'creator',
  'payer',
  'executed',
  'expiration',
  'waitForExpiry',
  'body',
  'signatures',
] as const

/** Rows that a search for a range of creators reads at once: from a page to this many. */
const batchMax = 1_000
const batchGrowth = 4

/**
 * A page of schedules. Those of one creator are one read; where a range of creators is asked for, schedules are read in the
 * order of the list until enough are of it.
 */
export async function findSchedules(
  filters: Filters<typeof scheduleParameters>,
  context: ScheduleContext,
): Promise<FoundSchedule[]> {
  const ids = rangeOf(filters['schedule.id'])
  const creators = rangeOf(filters['account.id'])
  if (ids === undefined || creators === undefined) return []
  const order = lastValue(filters.order) ?? 'asc'
  const limit = pageSize(filters.limit, context.settings)
  const found: ScheduleRow[] = []
  let { lower, upper } = ids
  let size = limit
  while (lower <= upper && found.length < limit) {
    const rows = await findRange({ ...ids, lower, upper }, creators, { descending: order === 'desc', size }, context)
    found.push(...rows.filter((row) => atBound(row, context) !== undefined && isOf(row, creators)))
    const last = rows.at(-1)
    if (last === undefined || rows.length < size) break
    if (order === 'desc') upper = last.id - 1n
    else lower = last.id + 1n
    size = Math.min(size * batchGrowth, batchMax)
    await context.pause()
  }
  return withEntities(found.slice(0, limit), context)
}

export async function findSchedule(id: bigint, context: ScheduleContext): Promise<FoundSchedule | undefined> {
  const [row] = await context.rows.schedules.get('schedules', [[id]], fields)
  const known = row && atBound(row, context)
  return known && (await withEntities([known], context))[0]
}

/** Undefined when nothing can be in it: an address is nobody's here, as established clients know it. */
function rangeOf(filters: readonly Filter<EntityReference>[]): IntegerRange | undefined {
  const numbers: Filter<bigint>[] = []
  for (const { operator, value } of filters) {
    if (value.kind === 'id') numbers.push({ operator, value: value.id })
    else if (operator !== 'ne') return undefined
  }
  return requireEqual(combineRange(numbers, minInt64))
}

function findRange(
  { lower, upper, excluded }: IntegerRange,
  creators: IntegerRange,
  { descending, size }: { readonly descending: boolean; readonly size: number },
  { rows }: ScheduleContext,
): Promise<ScheduleRow[]> {
  const range = {
    collection: 'schedules',
    lower: { value: lower, inclusive: true },
    upper: { value: upper, inclusive: true },
    filters: excluded.map((value) => ({ field: 'id' as const, op: 'ne' as const, value })),
    descending,
    limit: size,
    select: fields,
  } as const
  return creators.lower === creators.upper
    ? rows.schedules.find({ ...range, index: ['creator', 'id'], prefix: [creators.lower] })
    : rows.schedules.find({ ...range, index: ['id'] })
}

function isOf({ creator }: ScheduleRow, { lower, upper, hasLower, hasUpper, excluded }: IntegerRange): boolean {
  if (creator === null) return !hasLower && !hasUpper && excluded.length === 0
  return creator >= lower && creator <= upper && !excluded.includes(creator)
}

/** A schedule as it was at the request's bound, but for later signatures, which have their times. */
function atBound(row: ScheduleRow, { checkpoint: { time } }: ScheduleContext): ScheduleRow | undefined {
  if (row.created > time) return undefined
  return row.executed !== null && row.executed > time ? { ...row, executed: null } : row
}

async function withEntities(schedules: readonly ScheduleRow[], context: ScheduleContext): Promise<FoundSchedule[]> {
  const ids = schedules.map(({ id }) => id)
  const entities = await findCurrent(context.rows.entities, ids, context.checkpoint, entityFields)
  return schedules.map((schedule, index) => ({ schedule, entity: entities[index] }))
}
