import type { RowOf } from '#src/ports/read-store.ts'
import { defineSchema } from '#src/runtime/schema/define-schema.ts'

/** Version 2 of the schedules read model: rows hold what is shown. Ids are encoded entity ids, times consensus times in ns. */
export const schedulesSchema = defineSchema({
  name: 'schedules',
  version: 2,
  collections: {
    schedules: {
      kind: 'state',
      fields: {
        id: 'int64',
        /** Time of the creation. */
        created: 'int64',
        creator: 'int64?',
        /** null while the execution is to come. */
        executed: 'int64?',
        /** Since when it is deleted; null while it is not. */
        deleted: 'int64?',
        /** null where the network chooses it. */
        expiration: 'int64?',
        /** Time of the newest signature; null without any. */
        signed: 'int64?',
        /** JSON text of the members before `deleted`, without the braces. */
        head: 'text',
        /** Of those behind `executed_timestamp`, with all signatures so far. */
        rest: 'text',
      },
      key: ['id'],
      indexes: [['creator', 'id']],
    },
    /** What was stated of the entities of schedules that nothing else is known of yet. */
    statedEntities: {
      kind: 'state',
      fields: { id: 'int64', adminKey: 'text', memo: 'text', deleted: 'int64?' },
      key: ['id'],
    },
    /** Who called the contract of the newest Ethereum transaction: the creator of what its children schedule. Its key is 0. */
    callers: { kind: 'state', fields: { key: 'int32', time: 'int64', caller: 'int64' }, key: ['key'] },
  },
})

export type ScheduleRow = RowOf<typeof schedulesSchema, 'schedules'>
