import type { ScheduleRow, schedulesSchema } from '#projections/schedules/schema.ts'
import type { EntitySnapshotted } from '#schemas/events/types.ts'
import type { FoldedRows } from '#src/runtime/fold/projection.ts'

type Rows = FoldedRows<typeof schedulesSchema>

/** What is known of a schedule's entity. */
type KnownEntity = Pick<ScheduleRow, 'adminKey' | 'memo' | 'deleted'>

const unknownEntity: KnownEntity = { adminKey: null, memo: '', deleted: null }

/** Of one that has come to an end nothing is known any more. */
export function statedEntity(
  stated: Pick<EntitySnapshotted, 'asOf' | 'validTo' | 'deleted' | 'key' | 'memo'>,
): KnownEntity {
  const { asOf, validTo, deleted, key, memo } = stated
  return validTo === null ? { adminKey: key, memo, deleted: deleted ? asOf : null } : unknownEntity
}

/** The statements of a schedule and of its entity come in any order. */
export function stateEntity(rows: Rows, id: bigint, entity: KnownEntity): void {
  const schedule = rows.get('schedules', id)
  if (schedule) rows.put('schedules', { ...schedule, ...entity })
  else rows.put('statedEntities', { id, ...entity })
}

export function knownEntity(rows: Rows, id: bigint): KnownEntity {
  const known = rows.get('schedules', id) ?? rows.get('statedEntities', id)
  return known ? { adminKey: known.adminKey, memo: known.memo, deleted: known.deleted } : unknownEntity
}
