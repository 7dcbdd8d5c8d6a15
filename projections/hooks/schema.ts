import { entityIdCollections } from '#projections/entity-ids/schema.ts'
import type { RowOf } from '#src/ports/read-store.ts'
import { defineSchema } from '#src/runtime/schema/define-schema.ts'

/** A hook, in force from `from` (inclusive) until `until` (exclusive). Times are consensus times in ns. */
const hookFields = {
  /** Entity id of the account or contract. */
  owner: 'int64',
  /** Number that the owner chose. */
  hookId: 'int64',
  from: 'int64',
  /** null while it is in force. */
  until: 'int64?',
  /** Entity id; null when unknown. */
  contractId: 'int64?',
  /** Number of enum HookExtensionPoint. */
  extensionPoint: 'int32',
  type: 'text',
  /** Serialized Key. */
  adminKey: 'bytes?',
  /** null when unknown. */
  created: 'int64?',
  deleted: 'int32',
} as const

/** Version 2 of the hooks read model: hooks of accounts and contracts, and their storage now and at any time. */
export const hooksSchema = defineSchema({
  name: 'hooks',
  version: 2,
  collections: {
    ...entityIdCollections,
    /** The newest version of each hook. */
    hooks: { kind: 'versioned', fields: hookFields, key: ['owner', 'hookId'] },
    /** What is known of each slot that was ever written or read. */
    slots: {
      kind: 'state',
      fields: {
        owner: 'int64',
        hookId: 'int64',
        /** 32 bytes. */
        key: 'bytes',
        /** Without leading zero bytes; empty when removed; null when never written. */
        value: 'bytes?',
        /** First write, or first one after the last removal. */
        created: 'int64?',
        modified: 'int64?',
        /** 1: removed or never written, so that it is in no list of present values. */
        deleted: 'int32',
        /** Newest change, which may have been a read, and what it wrote. */
        changed: 'int64',
        written: 'bytes?',
      },
      key: ['owner', 'hookId', 'key'],
      indexes: [['owner', 'hookId', 'deleted', 'key']],
    },
    /** Every write and read of a slot. A read has written null; a removal an empty value. */
    slotChanges: {
      kind: 'facts',
      time: 'time',
      fields: {
        owner: 'int64',
        hookId: 'int64',
        key: 'bytes',
        time: 'int64',
        /** Value before; of a write by a transaction the one written; null when unknown. */
        valueRead: 'bytes?',
        valueWritten: 'bytes?',
      },
      key: ['owner', 'hookId', 'key', 'time'],
    },
    /** When the storage of a hook changed last, so that readers notice what changed while they read. */
    storages: {
      kind: 'state',
      fields: { owner: 'int64', hookId: 'int64', changed: 'int64' },
      key: ['owner', 'hookId'],
    },
    /**
     * One row: the hooks that the newest transfer with hooks calls, in the order of their execution. The executions are children
     * that follow it before any other transfer with hooks, so that a newer queue takes the place of one that is passed.
     */
    executions: {
      kind: 'state',
      fields: {
        slot: 'int32',
        /** Consensus time of the transfer. */
        parent: 'int64',
        /** Calls that are left: 16 bytes each, owner (0 when unknown) and number of the hook. */
        calls: 'bytes',
      },
      key: ['slot'],
    },
  },
})

export type HookRow = RowOf<typeof hooksSchema, 'hooks'>
export type SlotRow = RowOf<typeof hooksSchema, 'slots'>
