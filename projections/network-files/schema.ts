import { defineSchema } from '#src/runtime/schema/define-schema.ts'

/**
 * Version 1 of the network-files read model: what the files hold by which the network is run, now and at any time: fee
 * schedules (111), exchange rates (112), simple fees (113) and throttles (123). Times are consensus times in ns.
 */
export const networkFilesSchema = defineSchema({
  name: 'network-files',
  version: 1,
  collections: {
    /** What is uploaded. */
    uploads: {
      kind: 'state',
      fields: {
        /** Entity id. */
        fileId: 'int64',
        /** Time of the creation or update that began the contents. */
        begun: 'int64',
        /** All parts since then. */
        contents: 'bytes',
      },
      key: ['fileId'],
    },
    /** A version for every part: the contents up to it. */
    versions: {
      kind: 'facts',
      time: 'time',
      fields: {
        fileId: 'int64',
        /** Time of the newest part. */
        time: 'int64',
        begun: 'int64',
        /** null where they cannot be read, as before the last part arrives. */
        contents: 'bytes?',
        /** 1 where they can be read: so that contents need not be read to know it. */
        readable: 'int32',
      },
      key: ['fileId', 'time'],
    },
  },
})
