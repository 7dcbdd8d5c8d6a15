import { type EntityRow, type entitiesSchema, entityFields } from '#projections/entities/schema.ts'
import type { Range, Selection } from '#queries/common/range.ts'
import type { RowsAt } from '#src/ports/read-store.ts'

export type EntityRows = RowsAt<typeof entitiesSchema>

type EntityField = keyof EntityRow
type Always = 'id' | 'from' | 'until'

/**
 * The latest version that is valid at some instant of a range, and at none of the excluded ones; undefined when none is.
 * Established clients see a version left out as a whole by `ne`.
 */
export async function findVersion<F extends EntityField = EntityField>(
  entities: EntityRows,
  id: bigint,
  { lower, upper, excluded }: Range & Pick<Selection, 'excluded'>,
  fields: readonly F[] = entityFields as F[],
): Promise<Pick<EntityRow, F> | undefined> {
  const select: readonly (F | Always)[] = [...fields, 'id', 'from', 'until']
  const isWanted = ({ from, until }: Pick<EntityRow, Always>): boolean =>
    (until === null || until > lower) && excluded.every((time) => time < from || (until !== null && time >= until))
  const [newest]: (Pick<EntityRow, F | Always> | undefined)[] = await entities
    .at(upper)
    .begun('entities', [[id]], select)
  if (newest === undefined || isWanted(newest)) return newest
  if (excluded.length === 0) return undefined
  // Each excluded instant leaves out one version at most.
  const earlier: Pick<EntityRow, F | Always>[] = await entities.find({
    collection: 'entityVersions',
    index: ['id', 'from'],
    prefix: [id],
    upper: { value: newest.from, inclusive: false },
    descending: true,
    limit: excluded.length,
    select,
  })
  return earlier.find(isWanted)
}
