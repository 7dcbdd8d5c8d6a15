import { otherEntities } from '#projections/entities/other-entities.ts'
import { ownEntity } from '#projections/entities/own-entity.ts'
import { entitiesSchema } from '#projections/entities/schema.ts'
import { entityOfSnapshot, entitySnapshotFields } from '#projections/entities/snapshot-entity.ts'
import { putEntity } from '#projections/entities/versions.ts'
import { entityIds } from '#projections/entity-ids/projection.ts'
import { protocol } from '#projections/protocol/projection.ts'
import { defineProjection } from '#src/runtime/fold/projection.ts'

/** What accounts, contracts, files, topics, tokens and schedules have in common, and how it changed. */
export const entitiesProjection = defineProjection(entitiesSchema)
  .embed(entityIds)
  .embed(protocol)
  .on('TransactionRecorded', ownEntity)
  .on('TransactionRecorded', otherEntities)
  .on('EntitySnapshotted', {
    reads: entitySnapshotFields,
    apply: (statement, rows) => putEntity(rows, entityOfSnapshot(statement)),
  })
