import type { RowOf } from '#src/ports/read-store.ts'
import { defineSchema } from '#src/runtime/schema/define-schema.ts'

/**
 * Version 4 of the schedules read model. All that changes has a time, so that a schedule is known as it was at any. Ids are
 * encoded entity ids, times consensus times in ns.
 */
export const schedulesSchema = defineSchema({
  name: 'schedules',
  version: 4,
  collections: {
    schedules: {
      kind: 'state',
      fields: {
        id: 'int64',
        /** Time of the creation. */
        created: 'int64',
        creator: 'int64?',
        /** Who pays for the execution. */
        payer: 'int64?',
        /** Serialized Key of who may delete it; null where nobody may. */
        adminKey: 'bytes?',
        memo: 'text',
        /** 1: it runs when it expires, and not before. */
        waits: 'int32',
        /** Serialized SchedulableTransactionBody in base64, as it is shown: a text costs readers a quarter of what bytes do. */
        body: 'text',
        /** null while the execution is to come. */
        executed: 'int64?',
        /** Since when it is deleted; null while it is not. */
        deleted: 'int64?',
        /** null where the network chooses it. */
        expiration: 'int64?',
        /** Whole seconds of it: what may run in one second is limited. */
        expirationSecond: 'int64?',
        /** So far, in the order of their transactions, packed by packSignatures. */
        signatures: 'text',
      },
      key: ['id'],
      indexes: [
        ['creator', 'id'],
        ['expirationSecond', 'id'],
      ],
    },
    /** What was stated of the entities of schedules that nothing else is known of yet. */
    statedEntities: {
      kind: 'state',
      fields: { id: 'int64', adminKey: 'bytes?', memo: 'text', deleted: 'int64?' },
      key: ['id'],
    },
    /** Who called the contract of the newest Ethereum transaction: the creator of what its children schedule. Its key is 0. */
    callers: { kind: 'state', fields: { key: 'int32', time: 'int64', caller: 'int64' }, key: ['key'] },
  },
})

export type ScheduleRow = RowOf<typeof schedulesSchema, 'schedules'>
