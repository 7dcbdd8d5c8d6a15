import { customFeeCollections } from '#projections/custom-fees/schema.ts'
import type { RowOf } from '#src/ports/read-store.ts'
import { defineSchema } from '#src/runtime/schema/define-schema.ts'

/** A topic, in what only topics have, as it is from `from` (inclusive) until `until` (exclusive). Times are consensus times in ns. */
const topicFields = {
  id: 'int64',
  from: 'int64',
  /** null while it is in force. */
  until: 'int64?',
  /** null when unknown. */
  created: 'int64?',
  /** Serialized Keys. */
  adminKey: 'bytes?',
  submitKey: 'bytes?',
  feeScheduleKey: 'bytes?',
  /** Key objects of the API, as JSON text with a comma between. */
  feeExemptKeys: 'text',
} as const

/** Version 1 of the topics read model: messages, and what only topics have, custom fees included. Ids are encoded entity ids. */
export const topicsSchema = defineSchema({
  name: 'topics',
  version: 1,
  collections: {
    ...customFeeCollections,
    /**
     * By consensus time, so that the contents are written one after the other. Within a topic numbers and times ascend
     * together.
     */
    messages: {
      kind: 'facts',
      time: 'time',
      fields: {
        time: 'int64',
        topic: 'int64',
        /** From 1. */
        number: 'int64',
        message: 'bytes',
        payer: 'int64?',
        runningHash: 'bytes',
        runningHashVersion: 'int32',
        /** Number of the chunk and of all, from 1; null when the message is none. */
        chunk: 'int32?',
        chunks: 'int32?',
        /** Id of the transaction that brought the first chunk; null where it is not known. */
        initialPayer: 'int64?',
        initialValidStart: 'int64?',
        initialNonce: 'int32?',
        initialScheduled: 'int32?',
      },
      key: ['time'],
      indexes: [
        ['topic', 'time'],
        ['topic', 'number'],
      ],
    },
    /** The newest version of each topic. */
    topics: { kind: 'versioned', fields: topicFields, key: ['id'] },
  },
})

export type MessageRow = RowOf<typeof topicsSchema, 'messages'>
export type TopicRow = RowOf<typeof topicsSchema, 'topics'>
