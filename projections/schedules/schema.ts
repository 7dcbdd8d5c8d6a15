import type { ProjectionSchema, RowOf } from '#src/ports/read-store.ts'

/** Version 1 of the schedules read model. Ids are encoded entity ids, times consensus times in ns. */
export const schedulesSchema = {
  name: 'schedules',
  version: 1,
  collections: {
    /** Everything but the execution and the signatures is said by the creation, for good. */
    schedules: {
      fields: {
        id: 'int64',
        /** Time of the creation. */
        created: 'int64',
        creator: 'int64?',
        /** Who pays for the execution. */
        payer: 'int64?',
        /** null while the execution is to come. */
        executed: 'int64?',
        /** null where the network chooses it. */
        expiration: 'int64?',
        waitForExpiry: 'int32',
        /** Serialized SchedulableTransactionBody. */
        body: 'bytes',
        /** All signatures so far, packed (signatures-packing.ts). */
        signatures: 'bytes',
      },
      key: ['id'],
      indexes: [['creator', 'id']],
    },
    /** Who called the contract of the newest Ethereum transaction: the creator of what its children schedule. Its key is 0. */
    callers: { fields: { key: 'int32', time: 'int64', caller: 'int64' }, key: ['key'] },
  },
} as const satisfies ProjectionSchema

export type ScheduleRow = RowOf<typeof schedulesSchema, 'schedules'>
