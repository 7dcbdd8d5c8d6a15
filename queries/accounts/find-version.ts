import { type EntityRow, type entitiesSchema, entityFields } from '#projections/entities/schema.ts'
import { maxInt64 } from '#src/domain/ledger-time.ts'
import type { Checkpoint, Rows } from '#src/ports/read-store.ts'

export type EntityRows = Rows<typeof entitiesSchema>

/** Inclusive bounds, ns. */
export interface TimeRange {
  readonly lower: bigint
  readonly upper: bigint
}

/** The entities as they are at the request's bound, in the order asked; undefined where there is none. */
export async function findCurrent(
  rows: EntityRows,
  ids: readonly bigint[],
  bound: Checkpoint,
): Promise<(EntityRow | undefined)[]> {
  const found = await rows.get(
    'entities',
    ids.map((id) => [id]),
    entityFields,
  )
  return Promise.all(found.map((row) => row && atBound(rows, row, bound)))
}

/** The row, or where a later event wrote it, the version at the bound: the fold goes on while a request runs. */
export async function atBound(rows: EntityRows, row: EntityRow, { time }: Checkpoint): Promise<EntityRow | undefined> {
  return row.from <= time ? row : findPast(rows, row.id, { lower: 0n, upper: time })
}

/**
 * The latest version that is valid at some instant of a range, and at none of the excluded ones; undefined when none is.
 * Established clients see a version left out as a whole by `ne`.
 */
export async function findVersion(
  rows: EntityRows,
  id: bigint,
  { excluded, ...range }: TimeRange & { readonly excluded: readonly bigint[] },
): Promise<EntityRow | undefined> {
  const [current] = await rows.get('entities', [[id]], entityFields)
  const isOut = (from: bigint, to: bigint): boolean => excluded.some((time) => from <= time && time < to)
  if (current && current.from <= range.upper && !isOut(current.from, maxInt64)) return current
  // Each excluded instant leaves out one version at most.
  const versions = await findVersions(rows, id, range, excluded.length + 1)
  return versions.find(({ from, to }) => !isOut(from, to))
}

async function findPast(rows: EntityRows, id: bigint, range: TimeRange): Promise<EntityRow | undefined> {
  return (await findVersions(rows, id, range, 1))[0]
}

/** The latest versions that are valid at some instant of a range. */
async function findVersions(rows: EntityRows, id: bigint, { lower, upper }: TimeRange, limit: number) {
  const versions = await rows.find({
    collection: 'entityVersions',
    index: ['id', 'from'],
    prefix: [id],
    upper: { value: upper, inclusive: true },
    descending: true,
    limit,
    select: [...entityFields, 'to'],
  })
  return versions.filter(({ to }) => to > lower)
}
