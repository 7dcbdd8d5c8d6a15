import type { ScheduleRow, schedulesSchema } from '#projections/schedules/schema.ts'
import { memoIn, type ScheduleEntity, withEntity } from '#projections/schedules/text-packing.ts'
import type { EntitySnapshotted } from '#schemas/events/types.ts'
import type { FoldedRows } from '#src/runtime/fold/projection.ts'

type Rows = FoldedRows<typeof schedulesSchema>

/** What is known of a schedule's entity. */
type KnownEntity = ScheduleEntity & Pick<ScheduleRow, 'deleted'>

const unknownEntity: KnownEntity = { adminKey: null, memo: '', deleted: null }

/** Of one that has come to an end nothing is known any more. */
export function statedEntity(
  stated: Pick<EntitySnapshotted, 'asOf' | 'validTo' | 'deleted' | 'key' | 'memo'>,
): KnownEntity {
  const { asOf, validTo, deleted, key, memo } = stated
  return validTo === null ? { adminKey: key, memo, deleted: deleted ? asOf : null } : unknownEntity
}

/** The statements of a schedule and of its entity come in any order. */
export function stateEntity(rows: Rows, id: bigint, { deleted, ...entity }: KnownEntity): void {
  const schedule = rows.get('schedules', id)
  if (schedule)
    rows.put('schedules', { ...schedule, ...withEntity(schedule, entity), adminKey: entity.adminKey, deleted })
  else rows.put('statedEntities', { id, deleted, ...entity })
}

export function knownEntity(rows: Rows, id: bigint): KnownEntity {
  const schedule = rows.get('schedules', id)
  if (schedule) return { adminKey: schedule.adminKey, memo: memoIn(schedule), deleted: schedule.deleted }
  const stated = rows.get('statedEntities', id)
  return stated ? { adminKey: stated.adminKey, memo: stated.memo, deleted: stated.deleted } : unknownEntity
}
