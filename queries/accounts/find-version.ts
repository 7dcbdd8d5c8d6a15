import { type EntityRow, type entitiesSchema, entityFields } from '#projections/entities/schema.ts'
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

/** The latest version that is valid at some instant of a range; undefined when none is. */
export async function findVersion(rows: EntityRows, id: bigint, range: TimeRange): Promise<EntityRow | undefined> {
  const [current] = await rows.get('entities', [[id]], entityFields)
  return current && current.from <= range.upper ? current : findPast(rows, id, range)
}

async function findPast(rows: EntityRows, id: bigint, { lower, upper }: TimeRange): Promise<EntityRow | undefined> {
  const [version] = await rows.find({
    collection: 'entityVersions',
    index: ['id', 'from'],
    prefix: [id],
    upper: { value: upper, inclusive: true },
    descending: true,
    limit: 1,
    select: [...entityFields, 'to'],
  })
  return version && version.to > lower ? version : undefined
}
