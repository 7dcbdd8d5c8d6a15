import { type EntityRow, type entitiesSchema, entityFields } from '#projections/entities/schema.ts'
import { maxInt64 } from '#src/domain/ledger-time.ts'
import type { Checkpoint, Rows } from '#src/ports/read-store.ts'

export type EntityRows = Rows<typeof entitiesSchema>

/** Inclusive bounds, ns. */
export interface TimeRange {
  readonly lower: bigint
  readonly upper: bigint
}

type EntityField = keyof EntityRow
type Always = 'id' | 'from'

/** The entities as they are at the request's bound, in the order asked; undefined where there is none. */
export async function findCurrent<F extends EntityField = EntityField>(
  rows: EntityRows,
  ids: readonly bigint[],
  bound: Checkpoint,
  fields: readonly (F | Always)[] = entityFields as F[],
): Promise<(Pick<EntityRow, F | Always> | undefined)[]> {
  const keys = ids.map((id) => [id] as const)
  const found: (Pick<EntityRow, F | Always> | undefined)[] = await rows.get('entities', keys, fields)
  return allAtBound(rows, found, bound, fields)
}

/** Nearly always all of them are as they were, and nothing is waited for. */
export async function allAtBound<F extends EntityField = EntityField>(
  rows: EntityRows,
  found: readonly (Pick<EntityRow, F | Always> | undefined)[],
  { time }: Checkpoint,
  fields: readonly (F | Always)[] = entityFields as F[],
): Promise<(Pick<EntityRow, F | Always> | undefined)[]> {
  if (found.every((row) => row === undefined || row.from <= time)) return [...found]
  return Promise.all(
    found.map(async (row) => {
      if (row === undefined || row.from <= time) return row
      const past = await findPast(rows, row.id, time, fields)
      // Its end was not known then.
      return past && { ...past, to: undefined }
    }),
  )
}

/**
 * The latest version that is valid at some instant of a range, and at none of the excluded ones; undefined when none is.
 * Established clients see a version left out as a whole by `ne`.
 */
export async function findVersion<F extends EntityField = EntityField>(
  rows: EntityRows,
  id: bigint,
  { excluded, ...range }: TimeRange & { readonly excluded: readonly bigint[] },
  fields: readonly (F | Always)[] = entityFields as F[],
): Promise<Pick<EntityRow, F | Always> | undefined> {
  const [current]: (Pick<EntityRow, F | Always> | undefined)[] = await rows.get('entities', [[id]], fields)
  const isOut = (from: bigint, to: bigint): boolean => excluded.some((time) => from <= time && time < to)
  if (current && current.from <= range.upper && !isOut(current.from, maxInt64)) return current
  // Each excluded instant leaves out one version at most.
  const versions = await findVersions(rows, id, range, excluded.length + 1, fields)
  return versions.find(({ from, to }) => !isOut(from, to))
}

export async function findPast<F extends EntityField>(
  rows: EntityRows,
  id: bigint,
  time: bigint,
  fields: readonly F[],
): Promise<Pick<EntityRow, F> | undefined> {
  return (await findVersions(rows, id, { lower: 0n, upper: time }, 1, fields))[0]
}

/** The latest versions that are valid at some instant of a range. */
async function findVersions<F extends EntityField>(
  rows: EntityRows,
  id: bigint,
  { lower, upper }: TimeRange,
  limit: number,
  fields: readonly F[],
): Promise<(Pick<EntityRow, F> & { readonly from: bigint; readonly to: bigint })[]> {
  const versions = await rows.find({
    collection: 'entityVersions',
    index: ['id', 'from'],
    prefix: [id],
    upper: { value: upper, inclusive: true },
    descending: true,
    limit,
    select: [...fields, 'from', 'to'],
  })
  return versions.filter(({ to }) => to > lower)
}
