import type { ScheduleRow } from '#projections/schedules/schema.ts'
import { signedUntil } from '#projections/schedules/text-packing.ts'
import { type EntityReference, numbersOf } from '#queries/common/entity-id-parameter.ts'
import { combineRange, type IntegerRange, requireEqual } from '#queries/common/integer-range.ts'
import type { Filter, Filters } from '#queries/common/parameters.ts'
import { lastValue, pageSize } from '#queries/common/parameters.ts'
import type { scheduleParameters } from '#queries/schedules/params.ts'
import type { ScheduleContext } from '#queries/schedules/reads.ts'
import { minInt64 } from '#src/domain/ledger-time.ts'

const fields = ['id', 'created', 'executed', 'deleted', 'signed', 'head', 'rest'] as const
const fieldsAndCreator = [...fields, 'creator'] as const
const fieldsAndExpiration = [...fields, 'expiration'] as const

/** Its creator is there only where that is asked for. */
export type FoundSchedule = Pick<ScheduleRow, (typeof fields)[number]> & Partial<Pick<ScheduleRow, 'creator'>>
export type DatedSchedule = Pick<ScheduleRow, (typeof fieldsAndExpiration)[number]>

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
  const found: FoundSchedule[] = []
  let { lower, upper } = ids
  let size = limit
  while (lower <= upper && found.length < limit) {
    const rows = await findRange({ ...ids, lower, upper }, creators, { descending: order === 'desc', size }, context)
    for (const row of rows) if (row.created <= context.checkpoint.time && isOf(row, creators)) found.push(row)
    const last = rows.at(-1)
    if (last === undefined || rows.length < size) break
    if (order === 'desc') upper = last.id - 1n
    else lower = last.id + 1n
    size = Math.min(size * batchGrowth, batchMax)
    await context.pause()
  }
  return found.slice(0, limit).map((row) => atBound(row, context))
}

export async function findSchedule(id: bigint, context: ScheduleContext): Promise<DatedSchedule | undefined> {
  const [row] = await context.rows.schedules.get('schedules', [[id]], fieldsAndExpiration)
  return row && row.created <= context.checkpoint.time ? atBound(row, context) : undefined
}

/** Undefined when nothing can be in it: an address is nobody's here and compares with nobody, as established clients know it. */
function rangeOf(filters: readonly Filter<EntityReference>[]): IntegerRange | undefined {
  const numbers = numbersOf(filters)
  return numbers && requireEqual(combineRange(numbers, minInt64))
}

function findRange(
  { lower, upper, excluded }: IntegerRange,
  creators: IntegerRange,
  { descending, size }: { readonly descending: boolean; readonly size: number },
  { rows }: ScheduleContext,
): Promise<FoundSchedule[]> {
  const range = {
    collection: 'schedules',
    lower: { value: lower, inclusive: true },
    upper: { value: upper, inclusive: true },
    filters: excluded.map((value) => ({ field: 'id' as const, op: 'ne' as const, value })),
    descending,
    limit: size,
    select: isRanged(creators) ? fieldsAndCreator : fields,
  } as const
  return creators.lower === creators.upper
    ? rows.schedules.find({ ...range, index: ['creator', 'id'], prefix: [creators.lower] })
    : rows.schedules.find({ ...range, index: ['id'] })
}

/** Whether creators are asked for that no index finds. */
function isRanged({ hasLower, hasUpper, excluded }: IntegerRange): boolean {
  return hasLower || hasUpper || excluded.length > 0
}

function isOf({ creator = null }: FoundSchedule, creators: IntegerRange): boolean {
  if (!isRanged(creators)) return true
  const { lower, upper, excluded } = creators
  return creator !== null && creator >= lower && creator <= upper && !excluded.includes(creator)
}

/** A schedule as it was at the request's bound. Nearly always that is as it is. */
function atBound<S extends FoundSchedule>(row: S, { checkpoint: { time } }: ScheduleContext): S {
  const { executed, deleted, signed, rest } = row
  if (!isLater(executed, time) && !isLater(deleted, time) && !isLater(signed, time)) return row
  return {
    ...row,
    executed: isLater(executed, time) ? null : executed,
    deleted: isLater(deleted, time) ? null : deleted,
    rest: isLater(signed, time) ? signedUntil(rest, time) : rest,
  }
}

function isLater(event: bigint | null, time: bigint): boolean {
  return event !== null && event > time
}
